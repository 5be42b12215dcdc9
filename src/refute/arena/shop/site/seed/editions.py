"""Other states of the same shop: what changes from day to day is drawn anew, what people did and own stays."""

from itertools import groupby

from oscar.core.compat import get_user_model
from oscar.core.loading import get_model

from .catalogue import add_reviews, add_waiting_reviews, draw_stock, next_price
from .names import CATEGORIES
from .people import customers_of, reviewers_of

Product = get_model("catalogue", "Product")
StockRecord = get_model("partner", "StockRecord")
ProductReview = get_model("reviews", "ProductReview")

BANDS = {kind: (low, high) for kinds in CATEGORIES.values() for kind, low, high in kinds}
"""Lowest and highest price of each kind, in dollars."""


def redraw(dice):
    """New prices, stock, reviews and ratings for the products that are there, as `catalogue` draws the first ones."""
    products = list(Product.objects.order_by("pk"))
    redraw_stock(dice, products)
    people = {user.username: user for user in get_user_model().objects.order_by("pk")}
    ProductReview.objects.all().delete()
    add_reviews(dice, products, reviewers_of(people))
    add_waiting_reviews(dice, products, customers_of(people))


def redraw_stock(dice, products):
    """A price for each family in the band of its kind, one near it for each product, and new stock."""
    for kind, relatives in groupby(products, key=lambda product: product.attr.kind):
        prices = set()
        for _, family in groupby(relatives, key=lambda product: product.title.rpartition(" - ")[0]):
            base = dice.uniform(*BANDS[kind])
            for product in family:
                price = next_price(dice, base, prices)
                record = product.stockrecords.get()
                record.price, record.num_in_stock = price, redraw_pieces(dice, record.num_in_stock)
                StockRecord.objects.bulk_update([record], ["price", "num_in_stock"])


def redraw_pieces(dice, before):
    """New stock. What could be bought before can still be bought: a task must not ask for what cannot be had."""
    pieces = draw_stock(dice)
    while before and not pieces:
        pieces = draw_stock(dice)
    return pieces
