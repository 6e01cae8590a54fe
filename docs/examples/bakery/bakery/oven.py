"""The oven, and what it refuses."""

HOTTEST = 280


class OvenTooHot(Exception):
    """The heat would burn everything inside."""


class Oven:
    """Holds loaves and a temperature."""

    def __init__(self, heat=20):
        self.heat = heat
        self.loaves = []

    def preheat(self, heat):
        """Bring the oven to a temperature, never above the hottest it stands."""
        # Refused because the door seal melts above it.
        if heat > HOTTEST:
            raise OvenTooHot(heat)
        self.heat = heat

    def bake(self, recipe):
        """Preheat for a recipe and put its loaf inside."""
        self.preheat(recipe.heat)
        self.loaves.append(recipe.name)
        return recipe.name
