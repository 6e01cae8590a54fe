"""A local-first workshop for code: models, small local ones first, under deterministic control."""

__version__ = "0.1.0"
