"""What a final message states: small, forgiving checks of plain text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal

from refute.arena.shop._criteria import Attribute, plain
from refute.arena.shop._hedges import hedged
from refute.arena.shop._target import Product

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_RIGHT, _OTHER, _OUT_OF = "\x01", "\x02", "\x03"
"""Stand for the title of the product in question, for that of any other, and for *out of 5*."""
_SCALE = re.compile(r"(?<=\d)\s*(?:/|\b(?:out )?of\b)\s*5(?:\.0)?\b(?![.,]\d)", re.IGNORECASE)
_TOKEN = re.compile(
    rf"\$?{_NUMBER}|[a-z]+(?:'[a-z]+)?|(?<=\d)[-\u2013/](?=\$?\d)|[.,;:!?()%\n{_RIGHT}{_OTHER}{_OUT_OF}]", re.IGNORECASE
)
"""A dash or slash counts only as part of *3-4*, not where it parts the columns of a list."""
_STOPS = frozenset(".,;!?\n") | {"and", "but", "while", "with"}
_ENDS = _STOPS | frozenset(":()") | {"because", "since", "as", "so", "than", "instead"}
"""What comes before them says nothing about what comes after."""
_NOT = frozenset({"not", "never", "neither", "without", "cannot"})
_NEAR_BEFORE, _NEAR_AFTER = 3, 6
_NEAR_NOT, _NEAR_TITLE = 4, 6
_SUBJECTS = {
    Attribute.RATING: frozenset({"rating", "rated", "star", "stars", "score"}),
    Attribute.REVIEWS: frozenset({"review", "reviews", "reviewed", "reviewer", "reviewers"}),
    Attribute.STOCK: frozenset({"stock", "available", "availability", "left", "piece", "pieces", "unit", "units"}),
}
_MONEY = frozenset({"price", "priced", "cost", "costs", "usd", "dollar", "dollars"})
_KINDS = (
    *_SUBJECTS.values(),
    _MONEY,
    frozenset({"order", "orders"}),
    frozenset({"product", "products", "item", "items", "article", "articles"}),
    frozenset({"percent", "%"}),
)
"""What numbers are said of; one number is no alternative to one of another kind."""


def names(message: str, product: Product) -> bool:
    """Whether `message` holds the product's title, whatever its case, spaces and punctuation.

    *Not the X* does not name X.
    """
    if f" {plain(product.title)} " not in f" {plain(message)} ":
        return False
    tokens = _tokens(_marked(message, {product.title: _RIGHT}))
    at = [n for n, token in enumerate(tokens) if token == _RIGHT]
    return not at or any(not _denied(tokens, n) for n in at)


def hesitates(message: str, name: str, names: Iterable[str]) -> bool:
    """Whether `message` gives `name` and offers another one of `names` beside it: *it is the X or the Y*."""
    tokens = _tokens(_marked(message, dict.fromkeys(names, _OTHER) | {name: _RIGHT}))
    others = [n for n, token in enumerate(tokens) if token == _OTHER and not _denied(tokens, n)]
    return any(hedged(tokens, n, others) for n, token in enumerate(tokens) if token == _RIGHT)


def plainly(message: str, number: Decimal | int, nouns: Collection[str] = _MONEY) -> bool:
    """Whether `message` holds this number of `nouns`, in figures or words, at least once without a hedge."""
    tokens = _tokens(message)
    numbers = {at: n for at in _of_kind(tokens, nouns) if (n := _number(tokens[at])) is not None}
    others = [at for at, n in numbers.items() if n != number and not _denied(tokens, at)]
    return any(n == number and not hedged(tokens, at, others) for at, n in numbers.items())


def titles_of(catalogue: Iterable[Product]) -> list[str]:
    """The titles of the products."""
    return [product.title for product in catalogue]


def states(message: str, attribute: Attribute, product: Product, catalogue: Iterable[Product]) -> bool:
    """Whether `message` states this fact about `product`.

    A price is any equal amount that is said of nothing else; a rating, a number of reviews or of pieces is the number
    closest to such a word, in figures or, up to twelve, spelled out. Numbers inside product titles do not count, nor
    those that are denied (*it does not cost $5*) or said of another product by its title (*the Y costs $5*). An answer
    that is hedged wherever it is given (*$5 or $6*, *about 5*) states nothing.
    """
    if attribute is Attribute.TITLE:
        return names(message, product) and not hesitates(message, product.title, titles_of(catalogue))
    titles = {p.title: _OTHER for p in catalogue} | {product.title: _RIGHT}
    text = _marked(message, titles)
    tokens = _tokens(_SCALE.sub(_OUT_OF, text) if attribute is Attribute.RATING else text)
    own = _SUBJECTS.get(attribute, _MONEY)
    of_kind = _of_kind(tokens, own)
    near = of_kind if attribute is Attribute.PRICE else _numbers_near(tokens, own)
    said = [at for at in sorted(of_kind | near) if not _denied(tokens, at) and not _of_another(tokens, at)]
    values = {at for at in said if (n := _number(tokens[at])) is not None and _is_value(n, attribute, product)}
    others = [at for at in said if at not in values]
    return any(not hedged(tokens, at, others) for at in values & near)


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


def _is_value(number: Decimal, attribute: Attribute, product: Product) -> bool:
    match attribute:
        case Attribute.PRICE:
            return number == product.price
        case Attribute.REVIEWS:
            return number == product.reviews
        case Attribute.STOCK:
            return number == product.stock
        case Attribute.RATING:
            return product.rating is not None and abs(float(number) - product.rating) < 0.0501
        case Attribute.TITLE:
            return False


def _marked(message: str, titles: Mapping[str, str]) -> str:
    """`message` with each title replaced by its mark, the longest ones first."""
    small = message.casefold()
    for title in sorted(titles, key=len, reverse=True):
        if title.split()[0].casefold() in small:
            pattern = r"\W+".join(re.escape(word) for word in re.findall(r"\w+", title))
            message = re.sub(rf"\b{pattern}\b\)?", titles[title], message, flags=re.IGNORECASE)
    return message


def _tokens(message: str) -> list[str]:
    return [token.casefold() for token in _TOKEN.findall(message.replace("\u2019", "'"))]


def _number(word: str) -> Decimal | None:
    """``no`` counts as zero."""
    if word[-1].isdigit():
        return Decimal(word.lstrip("$").replace(",", ""))
    if word == "no":
        return Decimal(0)
    return Decimal(_WORDS.index(word)) if word in _WORDS else None


def _of_kind(tokens: Sequence[str], own: Collection[str]) -> set[int]:
    """Where the numbers stand that may be said of `own`: all but those that are said of something else."""
    numbers = {at for at, token in enumerate(tokens) if _number(token) is not None}
    amounts = {at for at in numbers if tokens[at].startswith("$")}
    elsewhere = {at for kind in _KINDS if kind.isdisjoint(own) for at in _numbers_near(tokens, kind)}
    if own is _MONEY:
        elsewhere -= amounts
    else:
        elsewhere |= amounts
    return numbers - (elsewhere - (_numbers_near(tokens, own) - amounts))


def _numbers_near(tokens: Sequence[str], subjects: Collection[str]) -> set[int]:
    """Where the numbers stand that are said of one of `subjects`: before it, or else after it."""
    found: set[int] = set()
    for at, token in enumerate(tokens):
        if token in subjects:
            before = _first_number(tokens, range(at - 1, max(-1, at - 1 - _NEAR_BEFORE), -1))
            after = _first_number(tokens, range(at + 1, min(len(tokens), at + 1 + _NEAR_AFTER)))
            number = before if before is not None else after
            if number is not None:
                found.add(number)
    return found


def _first_number(tokens: Sequence[str], places: Iterable[int]) -> int | None:
    """The first place of a number before a stop."""
    for at in places:
        if tokens[at] in _STOPS:
            return None
        if _number(tokens[at]) is not None:
            return at
    return None


def _before(tokens: Sequence[str], at: int, most: int) -> list[str]:
    """The few words before `at` in the same part of the sentence, nearest first."""
    words: list[str] = []
    for token in reversed(tokens[max(0, at - most) : at]):
        if token in _ENDS:
            break
        words.append(token)
    return words


def _denied(tokens: Sequence[str], at: int) -> bool:
    return any(word in _NOT or word.endswith("n't") for word in _before(tokens, at, _NEAR_NOT))


def _of_another(tokens: Sequence[str], at: int) -> bool:
    """Whether the number at `at` follows another product's title (*Y costs 5*) or is of one (*5 pieces of Y*)."""
    marks = [word for word in _before(tokens, at, _NEAR_TITLE) if word in (_RIGHT, _OTHER)]
    if marks:
        return marks[0] == _OTHER
    for n, word in enumerate(tokens[at + 1 : at + 1 + _NEAR_TITLE]):
        if word in _ENDS or word == _RIGHT:
            return False
        if word == _OTHER:
            return bool({"of", "for"} & set(tokens[at + 1 : at + 1 + n]))
    return False
