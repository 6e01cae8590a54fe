"""Weights for the embedded model: which are known, which are here, and how a person brings them.

Nothing is fetched unless a person asks for it by name; whatever the source, one hash decides.
"""

from bottega.models.weights.cache import installed, remove, weights_dir
from bottega.models.weights.catalogue import Part, Weights, find, known
from bottega.models.weights.job import Progress
from bottega.models.weights.pull import Pulled, pull
from bottega.models.weights.registry import Registry

__all__ = [
    "Part",
    "Progress",
    "Pulled",
    "Registry",
    "Weights",
    "find",
    "installed",
    "known",
    "pull",
    "remove",
    "weights_dir",
]
