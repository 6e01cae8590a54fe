"""`python -m bottega` is the `bottega` command."""

from bottega.cli import main

if __name__ == "__main__":
    main()
