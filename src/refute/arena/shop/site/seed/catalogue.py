"""Products, their pictures and stock, and what customers wrote about them."""

import datetime
from decimal import Decimal
from pathlib import Path

from django.conf import settings
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.core.loading import get_model
from PIL import Image, ImageDraw, ImageFont

from clock import OPENING

from .names import (
    ADVERTISEMENTS,
    BRANDS,
    CATEGORIES,
    COLORS,
    LINES,
    PROMISES,
    QUALITIES,
    REVIEW_BODIES,
    REVIEW_TITLES,
)

Product = get_model("catalogue", "Product")
ProductAttribute = get_model("catalogue", "ProductAttribute")
ProductCategory = get_model("catalogue", "ProductCategory")
ProductClass = get_model("catalogue", "ProductClass")
ProductImage = get_model("catalogue", "ProductImage")
Partner = get_model("partner", "Partner")
StockRecord = get_model("partner", "StockRecord")
ProductReview = get_model("reviews", "ProductReview")

FAMILY_SIZES = ((3, 2, 2), (3, 2, 2), (2, 2, 2))
"""Colours per family, for the three kinds of a category: 20 products each."""
KINDS = [kind for kinds in CATEGORIES.values() for kind, _, _ in kinds]


def add_products(dice):
    """Every product of every category; returns them in order."""
    goods = ProductClass.objects.create(name="Goods", requires_shipping=True, track_stock=True)
    for name in ("Brand", "Kind", "Color"):
        ProductAttribute.objects.create(product_class=goods, name=name, code=name.lower(), type="text")
    warehouse = Partner.objects.create(name="Juniper Lane warehouse", code="warehouse")
    products = []
    for path, kinds in CATEGORIES.items():
        category = create_from_breadcrumbs(path)
        for (kind, low, high), sizes in zip(kinds, FAMILY_SIZES, strict=True):
            prices = set()
            for brand, line, size in families(dice, sizes):
                base = dice.uniform(low, high)
                for color in dice.sample(sorted(COLORS), size):
                    product = add_product(dice, goods, category, brand, line, kind, color)
                    price = next_price(dice, base, prices)
                    add_stock(dice, warehouse, product, price)
                    products.append(product)
    spread_arrivals(dice, products)
    return products


def families(dice, sizes):
    """Two families of one brand and one of a rival that sells the same line."""
    ours, rival = dice.sample(BRANDS, 2)
    first, second = dice.sample(LINES, 2)
    return zip((ours, ours, rival), (first, second, first), sizes, strict=True)


def add_product(dice, goods, category, brand, line, kind, color):
    """One product with its attributes, category and picture."""
    number = Product.objects.count() + 1
    product = Product(
        product_class=goods,
        title=f"{brand} {line} {kind} - {color}",
        upc=f"JL{number:05d}",
        structure="standalone",
        description=describe(dice, brand, kind, color),
    )
    product.attr.brand, product.attr.kind, product.attr.color = brand, kind, color
    product.save()
    ProductCategory.objects.create(product=product, category=category)
    ProductImage.objects.create(product=product, original=draw(kind, color), display_order=0)
    return product


def describe(dice, brand, kind, color):
    """A description; one in four names another kind, so that a full-text search finds it as well."""
    qualities = dict.fromkeys((dice.choice(QUALITIES), dice.choice(QUALITIES)))
    text = f"{brand} {kind.lower()} in {color.lower()}: {' and '.join(qualities)}."
    if dice.random() < 0.25:
        text += f" Often bought together with: {dice.choice(KINDS).lower()}."
    return f"<p>{text} {dice.choice(PROMISES)}</p>"


def next_price(dice, base, taken):
    """A price near `base` that no other product of the kind has."""
    while True:
        price = Decimal(max(3, round(base * dice.uniform(0.9, 1.1)))) - Decimal(dice.choice(("0.01", "0.51", "0.05")))
        if price not in taken:
            taken.add(price)
            return price


def add_stock(dice, warehouse, product, price):
    """The stock record of a product."""
    StockRecord.objects.create(
        product=product,
        partner=warehouse,
        partner_sku=f"SKU-{product.upc}",
        price_currency="USD",
        price=price,
        num_in_stock=draw_stock(dice),
    )


def draw_stock(dice):
    """Nothing, a few, or plenty."""
    return dice.choices((0, 3, 10, 50), weights=(15, 25, 30, 30))[0]


def spread_arrivals(dice, products):
    """Give each product a day of its own on which it came into the shop, for "newest first"."""
    days = dice.sample(range(5, 900), len(products))
    for product, day in zip(products, days, strict=True):
        product.date_created = OPENING - datetime.timedelta(days=day)
        Product.objects.filter(pk=product.pk).update(date_created=product.date_created)


def add_reviews(dice, products, reviewers):
    """None to six reviews of each product, around a quality of its own."""
    reviews = []
    for product in products:
        quality = dice.uniform(1.8, 5.0)
        count = dice.choices(range(7), weights=(15, 10, 15, 20, 15, 15, 10))[0]
        for reviewer in dice.sample(reviewers, count):
            score = min(5, max(1, round(dice.gauss(quality, 0.8))))
            review = write_review(dice, product, reviewer, score)
            reviews.append((review, dice.randint(1, 400)))
    store_reviews(reviews)
    for product in products:
        Product.objects.filter(pk=product.pk).update(rating=product.calculate_rating())


def add_waiting_reviews(dice, products, customers):
    """Reviews of the last days that nobody has let through yet: no page shows or counts them, but for the staff's."""
    written = set(ProductReview.objects.values_list("product_id", "user_id"))
    pairs = [(p, c) for p in products for c in customers if (p.pk, c.pk) not in written]
    scores = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, *(5 for _ in ADVERTISEMENTS))
    reviews = []
    for (product, customer), score in zip(dice.sample(pairs, len(scores)), scores, strict=True):
        review = write_review(dice, product, customer, score, status=ProductReview.FOR_MODERATION)
        reviews.append((review, dice.randint(1, 14)))
    for (review, _), (title, body) in zip(reversed(reviews), ADVERTISEMENTS):
        review.title, review.body = title, body
    dice.shuffle(reviews)
    store_reviews(reviews)


def write_review(dice, product, reviewer, score, status=ProductReview.APPROVED):
    """A review with the words that belong to its score; not stored."""
    return ProductReview(
        product=product,
        user=reviewer,
        score=score,
        title=dice.choice(REVIEW_TITLES[score]),
        body=REVIEW_BODIES[score].format(kind=product.attr.kind.lower(), color=product.attr.color.lower()),
        status=status,
    )


def store_reviews(reviews):
    """Store reviews at once, since each one by itself would compute its product's rating, and set how old they are."""
    ProductReview.objects.bulk_create(review for review, _ in reviews)
    for number, (review, days) in enumerate(reviews, start=1):
        review.date_created = OPENING - datetime.timedelta(days=days, minutes=number)
    ProductReview.objects.bulk_update((review for review, _ in reviews), ["date_created"], batch_size=200)


def draw(kind, color):
    """A picture of a kind in a colour, as its name in the media folder; drawn once."""
    name = f"products/{kind}-{color}.png".lower().replace(" ", "-")
    path = Path(settings.MEDIA_ROOT) / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        image = Image.new("RGB", (180, 155), "#e9e4da")
        pen = ImageDraw.Draw(image)
        pen.rounded_rectangle((45, 20, 135, 110), radius=22, fill=COLORS[color], outline="#8a8377", width=2)
        pen.text((90, 132), kind, anchor="mm", fill="#4a463f", font=ImageFont.load_default(size=15))
        image.quantize(16).save(path, optimize=True)
    return name
