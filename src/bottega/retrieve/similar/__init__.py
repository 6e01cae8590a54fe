"""Find clones of code, and code like it."""

from bottega.retrieve.similar.find import Kinship, SimilarCode, find_similar
from bottega.retrieve.similar.groups import CloneGroup, GroupKinship, find_clone_groups

__all__ = ["CloneGroup", "GroupKinship", "Kinship", "SimilarCode", "find_clone_groups", "find_similar"]
