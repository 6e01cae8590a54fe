"""Recipes and where they come from."""


class Recipe:
    """What a loaf needs."""

    def __init__(self, name, heat, minutes):
        self.name = name
        self.heat = heat
        self.minutes = minutes


class SweetRecipe(Recipe):
    """A recipe with sugar, baked a little cooler."""

    def cooled(self):
        return Recipe(self.name, self.heat - 20, self.minutes)


def find_recipe(name):
    """Look a recipe up by its name."""
    if name == "brioche":
        return SweetRecipe(name, 180, 35)
    return Recipe(name, 230, 45)
