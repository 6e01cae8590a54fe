from bakery.orders import place_order


def test_an_order_bakes_every_loaf():
    assert place_order(["rye", "brioche"]) == ["rye", "brioche"]
