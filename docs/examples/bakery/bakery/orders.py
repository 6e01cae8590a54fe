"""Orders: from a customer's wish to a loaf."""

from bakery.oven import Oven
from bakery.recipes import find_recipe


def place_order(names, oven=None):
    """Bake everything a customer asks for."""
    oven = oven or Oven()
    return [oven.bake(find_recipe(name)) for name in names]
