"""Weights for the embedded model: the catalogue, the cache, and `pull`, which downloads them.

Nothing is downloaded unless the user asks for it by name. Whatever the source, the file must have the catalogue's hash.
docs/decisions/0016 says why huggingface_hub does not do this.
"""

from bottega.models.weights.cache import installed, remove, weights_dir
from bottega.models.weights.catalogue import Part, Weights, find, list_weights
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
    "list_weights",
    "pull",
    "remove",
    "weights_dir",
]
