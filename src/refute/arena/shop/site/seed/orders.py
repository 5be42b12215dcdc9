"""Orders from before opening day."""

import datetime

from oscar.core.loading import get_class, get_model

from clock import OPENING

Basket = get_model("basket", "Basket")
Order = get_model("order", "Order")
ShippingAddress = get_model("order", "ShippingAddress")
StockRecord = get_model("partner", "StockRecord")
OrderCreator = get_class("order.utils", "OrderCreator")
OrderNumberGenerator = get_class("order.utils", "OrderNumberGenerator")
OrderTotalCalculator = get_class("checkout.calculators", "OrderTotalCalculator")
ShippingRepository = get_class("shipping.repository", "Repository")
Strategy = get_class("partner.strategy", "Default")

HOW_MANY = 30
NEW = 6
"""How many of these are still on their way, the latest ones."""
BUYERS = ("olivia", "sofia", "ethan", "henry", "liam", "sofia", "ava", "henry")
"""Whose orders of the last weeks are on their way as well, oldest first."""
FATES = ("Complete", "Complete", "Complete", "Cancelled")
NEW_FATES = ("Pending", "Being processed")
STEPS = {
    "Pending": (),
    "Being processed": ("Being processed",),
    "Complete": ("Being processed", "Complete"),
    "Cancelled": ("Cancelled",),
}


def add_orders(dice, emma, customers, products):
    """Past orders, oldest first; every third one is emma's. The stock that customers see is left as it was."""
    in_stock = [p for p in products if p.stockrecords.get().num_in_stock >= 10]
    days = sorted(dice.sample(range(2, 320), HOW_MANY), reverse=True)
    for number, day in enumerate(days):
        user = emma if number % 3 == 0 else dice.choice(customers)
        add_order(dice, user, in_stock, day, FATES if number < HOW_MANY - NEW else NEW_FATES)
    StockRecord.objects.update(num_allocated=None)


def add_recent_orders(dice, people, products):
    """Orders of the last weeks that are on their way, of customers of whom two share a last name."""
    in_stock = [p for p in products if p.stockrecords.get().num_in_stock >= 10]
    days = sorted(dice.sample(range(1, 40), len(BUYERS)), reverse=True)
    for name, day in zip(BUYERS, days, strict=True):
        add_order(dice, people[name], in_stock, day, NEW_FATES)
    StockRecord.objects.update(num_allocated=None)


def add_order(dice, user, in_stock, day, fates):
    """One order of one to four products, placed `day` days ago, with one of `fates`."""
    chosen = dice.sample(in_stock, dice.randint(1, 4))
    order = place(user, [(product, dice.randint(1, 2)) for product in chosen])
    for status in STEPS[dice.choice(fates)]:
        order.set_status(status)
    when = OPENING - datetime.timedelta(days=day, minutes=dice.randint(0, 600))
    Order.objects.filter(pk=order.pk).update(date_placed=when)


def place(user, lines):
    """One order of `user`, as the checkout would place it."""
    basket = Basket.objects.create(owner=user)
    basket.strategy = Strategy()
    for product, quantity in lines:
        basket.add_product(product, quantity)
    address = ShippingAddress()
    user.addresses.order_by("pk").first().populate_alternative_model(address)
    address.save()
    method = ShippingRepository().get_default_shipping_method(basket)
    charge = method.calculate(basket)
    order = OrderCreator().place_order(
        basket=basket,
        total=OrderTotalCalculator().calculate(basket, charge),
        shipping_method=method,
        shipping_charge=charge,
        user=user,
        shipping_address=address,
        order_number=OrderNumberGenerator().order_number(basket),
    )
    basket.submit()
    return order
