"""Finding the right place in a repository."""
