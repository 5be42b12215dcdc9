"""Vouchers that customers may type in; without one, every price is as the catalogue says."""

import datetime

from oscar.core.loading import get_model

from clock import OPENING

Benefit = get_model("offer", "Benefit")
Condition = get_model("offer", "Condition")
ConditionalOffer = get_model("offer", "ConditionalOffer")
Range = get_model("offer", "Range")
Voucher = get_model("voucher", "Voucher")

VOUCHERS = (
    ("Welcome to Juniper Lane", "WELCOME10", 10, -300, 200),
    ("Spring cleaning", "SPRING15", 15, -100, -15),
)
"""Name, code, percentage off, and the first and last day on which it is good, counted from opening day."""


def add_vouchers():
    """A voucher that is good and one that has run out."""
    everything = Range.objects.create(name="Everything", slug="everything", includes_all_products=True)
    condition = Condition.objects.create(range=everything, type=Condition.COUNT, value=1)
    for name, code, percentage, first, last in VOUCHERS:
        offer = ConditionalOffer.objects.create(
            name=f"{percentage}% off",
            slug=f"{percentage}-off",
            offer_type=ConditionalOffer.VOUCHER,
            condition=condition,
            benefit=Benefit.objects.create(range=everything, type=Benefit.PERCENTAGE, value=percentage),
        )
        voucher = Voucher.objects.create(
            name=name,
            code=code,
            usage=Voucher.ONCE_PER_CUSTOMER,
            start_datetime=OPENING + datetime.timedelta(days=first),
            end_datetime=OPENING + datetime.timedelta(days=last),
        )
        voucher.offers.add(offer)
