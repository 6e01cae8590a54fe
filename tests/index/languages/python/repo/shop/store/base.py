"""What every store can do."""

LIMIT = 10  # because more than ten never fit on a page


class Base:
    """Keeps things.

    Args:
        name: what it is called
    """

    kind = "none"

    def __init__(self, name: str) -> None:
        self.name = name

    def save(self, item: str) -> None:
        raise NotImplementedError

    def describe(self) -> str:
        def line(text: str) -> str:
            return text[:LIMIT]

        return line(self.name)


def open_store(name: str) -> "Base":
    # TODO: ask the registry
    from shop.store.disk import Store

    return Store(name)
