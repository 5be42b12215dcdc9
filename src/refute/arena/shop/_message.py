"""What a final message states: small, forgiving checks of plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from refute.arena.shop._target import Product
from refute.arena.shop._wants import Attribute, plain

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_TOKEN = re.compile(rf"{_NUMBER}|[a-z]+(?:'[a-z]+)?|[.,;:!?()\n]", re.IGNORECASE)
_STOPS = frozenset(".,;!?\n") | {"and", "but", "while", "with"}
_NEAR_BEFORE, _NEAR_AFTER = 3, 6
_SUBJECTS = {
    Attribute.RATING: frozenset({"rating", "rated", "star", "stars", "score"}),
    Attribute.REVIEWS: frozenset({"review", "reviews", "reviewed", "reviewer", "reviewers"}),
    Attribute.STOCK: frozenset({"stock", "available", "availability", "left", "piece", "pieces", "unit", "units"}),
}


def names(message: str, product: Product) -> bool:
    """Whether `message` holds the product's title, whatever its case, spaces and punctuation."""
    return f" {plain(product.title)} " in f" {plain(message)} "


def states(message: str, attribute: Attribute, product: Product, catalogue: Iterable[Product]) -> bool:
    """Whether `message` states this fact about `product`.

    A price is any equal amount; a rating, a number of reviews or of pieces is the number closest to such a word, in
    figures or, up to twelve, spelled out. Numbers inside product titles do not count.
    """
    if attribute is Attribute.TITLE:
        return names(message, product)
    text = _without_titles(message, catalogue)
    if attribute is Attribute.PRICE:
        return product.price in _amounts(text)
    found = _numbers_near(text, _SUBJECTS[attribute])
    match attribute:
        case Attribute.REVIEWS:
            return product.reviews in found
        case Attribute.STOCK:
            return product.stock in found
        case Attribute.RATING:
            return product.rating is not None and any(abs(float(n) - product.rating) < 0.0501 for n in found)


def fact(attribute: Attribute, product: Product) -> str:
    """The fact in the words of a report; `states` finds it again."""
    match attribute:
        case Attribute.TITLE:
            return product.title
        case Attribute.PRICE:
            return f"{product.title} costs ${product.price}"
        case Attribute.RATING:
            return f"{product.title} is rated {product.rating or 0:.1f} out of 5"
        case Attribute.REVIEWS:
            return f"{product.title} has {product.reviews} customer review{'' if product.reviews == 1 else 's'}"
        case Attribute.STOCK:
            return f"{product.title} has {product.stock} pieces in stock"


def _without_titles(message: str, catalogue: Iterable[Product]) -> str:
    for title in sorted({p.title for p in catalogue}, key=len, reverse=True):
        pattern = r"\W+".join(re.escape(word) for word in re.findall(r"\w+", title))
        if title.split()[0].casefold() in message.casefold():
            message = re.sub(rf"\b{pattern}\b\)?", "it", message, flags=re.IGNORECASE)
    return message


def _amounts(text: str) -> set[Decimal]:
    return {Decimal(n.replace(",", "")) for n in re.findall(_NUMBER, text)}


def _numbers_near(text: str, subjects: frozenset[str]) -> set[Decimal]:
    tokens = [t.casefold() for t in _TOKEN.findall(text)]
    found: set[Decimal] = set()
    for at, token in enumerate(tokens):
        if token in subjects:
            before = _first_number(reversed(tokens[max(0, at - _NEAR_BEFORE) : at]))
            number = before if before is not None else _first_number(tokens[at + 1 : at + 1 + _NEAR_AFTER])
            if number is not None:
                found.add(number)
    return found


def _first_number(words: Iterable[str]) -> Decimal | None:
    """The first number before a stop; ``no`` counts as zero."""
    for word in words:
        if word in _STOPS:
            return None
        if word[0].isdigit():
            return Decimal(word.replace(",", ""))
        if word == "no":
            return Decimal(0)
        if word in _WORDS:
            return Decimal(_WORDS.index(word))
    return None
