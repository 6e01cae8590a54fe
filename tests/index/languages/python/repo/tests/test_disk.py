import shop
from shop.store.disk import Store


def test_saving():
    Store("a").save("b")
    shop.opened("c").describe()
