"""Find code that repeats or resembles some code."""

from bottega.retrieve.similar.find import Kinship, SimilarCode, find_similar

__all__ = ["Kinship", "SimilarCode", "find_similar"]
