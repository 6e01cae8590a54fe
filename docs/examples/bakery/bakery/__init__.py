"""A bakery that bakes to order."""
