from shop.store.base import Base, open_store
from shop.store.disk import Store

__all__ = ["Base", "Store", "open_store"]
