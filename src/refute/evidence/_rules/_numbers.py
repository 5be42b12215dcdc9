"""Rules about numbers: a number counts only where the page's words say what it is a number of."""

from __future__ import annotations

import re
from collections.abc import Callable

from refute.evidence._page import Block, Control, Line, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._statement import Statement
from refute.evidence._words import GENERIC, Number, coverage, numbers, stem, words

_COMPARISONS: tuple[tuple[re.Pattern[str], Callable[[float, float], bool]], ...] = (
    (
        re.compile(r"\b(?:more than|over|above|exceeds?|greater than|higher than)\s+\S*?$"),
        lambda have, said: have > said,
    ),
    (re.compile(r"\b(?:at least|no fewer than|no less than|minimum of)\s+\S*?$"), lambda have, said: have >= said),
    (
        re.compile(r"\b(?:less than|fewer than|under|below|cheaper than|lower than)\s+\S*?$"),
        lambda have, said: have < said,
    ),
    (re.compile(r"\b(?:at most|up to|no more than|maximum of|not exceed)\s+\S*?$"), lambda have, said: have <= said),
    (
        re.compile(r"\b(?:about|around|roughly|approximately|nearly)\s+\S*?$"),
        lambda have, said: abs(have - said) <= 0.1 * said,
    ),
)
_FIRST_NUMBER = re.compile(r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|[$€£¥]?\d")
_CART = frozenset({stem("cart")})
_QUANTITY = frozenset({stem("quantity")})
_FOUND = frozenset(stem(word) for word in ("result", "record", "entry", "match", "found", "row", "hit"))
_COUNT = re.compile(r"(?<![\d.,$€£¥])(\d[\d,]*)\s+((?:[a-z-]+\s+){0,2}?[a-z-]+)", re.IGNORECASE)
_OF = re.compile(r"\b\d+\s*(?:-|–|to)\s*(?P<last>\d+)\s+of\s+(?P<all>\d[\d,]*)\b")


def number_test(statement: Statement) -> Callable[[float], bool] | None:
    """What the statement's only number asks of a value; None when it has none, or several."""
    if len(statement.numbers) != 1:
        return None
    said = statement.numbers[0].value
    first = _FIRST_NUMBER.search(statement.lower)
    before = statement.lower[: first.start()] if first else ""
    for pattern, compare in _COMPARISONS:
        if pattern.search(before):
            return lambda have: compare(have, said)
    return lambda have: abs(have - said) < 0.005


def fields(statement: Statement, page: Page) -> Hint | None:
    """'The price is 25.00', 'three cables are in the basket': a field with a number, in the block spoken of."""
    test = number_test(statement)
    if test is None or _about_cart_elsewhere(statement, page):
        return None
    scored: list[tuple[float, float, Line]] = []
    for line, control in page.controls():
        value = _numeric(control)
        if value is None or not control.words:
            continue
        by_name = control.words <= statement.words
        is_quantity = control.words >= _QUANTITY and control.words - _QUANTITY <= statement.words
        if not by_name and not is_quantity:
            continue
        by_name = by_name or control.words > _QUANTITY  # 'Quantity of …' names the thing itself
        block = page.block(line)
        context = statement.words - control.words - _PLACES
        if not by_name and not context:
            continue
        near = block.words if block.kind in _GROUPS else line.words
        score = coverage(context, near)
        if by_name or score >= 0.5:
            scored.append((score, value, line))
    if not scored:
        return None
    best = max(score for score, _, _ in scored)
    top = [(value, line) for score, value, line in scored if score == best]
    if len({test(value) for value, _ in top}) != 1:
        return None  # several fields fit alike and disagree
    value, line = top[0]
    return hint(holds=test(value) != statement.negated, strength=0.8, lines=[line])


def _about_cart_elsewhere(statement: Statement, page: Page) -> bool:
    """Whether the basket is spoken of on another page; a quantity on a product's own page says nothing about it."""
    return bool(statement.words & _CART) and not page.about() & _CART


_PLACES = frozenset(stem(word) for word in ("cart", "order", "product", "item", "piece", "unit", "copy", "line"))


def _numeric(control: Control) -> float | None:
    found = numbers(control.value or "")
    return found[0].value if len(found) == 1 else None


def amounts(statement: Statement, page: Page) -> Hint | None:
    """'The order total is £152.49' against the line, row or item that says whose number it is."""
    test = number_test(statement)
    wanted = statement.words - _VALUE_TALK
    if test is None or not wanted or _EXTREME.search(statement.lower):
        return None
    said = statement.numbers[0]
    near: list[tuple[float, bool, Line]] = []
    for line, found, around in _places(page, grouped=not _about_cart_elsewhere(statement, page)):
        alike = [number for number in found if _comparable(number, said, statement)]
        share = coverage(wanted, around)
        if not alike or share < 0.5:
            continue
        if any(_equal(number, said) for number in alike) or all(test(number.value) for number in alike):
            near.append((share, True, line))
        elif share == 1.0 and len(alike) == 1:
            near.append((share, False, line))
    if not near:
        return None
    best = max(share for share, _, _ in near)
    top = [(holds, line) for share, holds, line in near if share == best]
    if any(holds for holds, _ in top):
        line = next(line for holds, line in top if holds)
        return hint(holds=not statement.negated, strength=0.35 + 0.5 * best**2, lines=[line])
    return hint(holds=statement.negated, strength=0.75, lines=[top[0][1]])


_EXTREME = re.compile(r"\b(?:cheapest|dearest|lowest|highest|smallest|largest|(?:most|least) expensive|best|worst)\b")
"""That a number stands somewhere does not make it the largest."""
_VALUE_TEXT = (
    "amount equal cost exactly time worth more less fewer over under above below least most up around roughly "
    "approximately nearly cheaper greater higher lower exceed"
)
_VALUE_TALK = frozenset(stem(word) for word in _VALUE_TEXT.split())


def _comparable(number: Number, said: Number, statement: Statement) -> bool:
    """Whether both count the same: money or not, and nothing that the statement does not speak of ('5 reviews')."""
    if number.noun and number.noun not in statement.words and not number.money:
        return False
    return number.money == said.money or _equal(number, said)


def _equal(one: Number, other: Number) -> bool:
    return abs(one.value - other.value) < 0.005


def _places(page: Page, *, grouped: bool) -> list[tuple[Line, tuple[Number, ...], frozenset[str]]]:
    """Lines with numbers and the words beside them; if `grouped`, rows and items too, each as one place."""
    places = [(line, line.numbers, line.words) for line in page.lines if line.numbers]
    if not grouped:
        return places
    items = [block for block in page.blocks if block.kind in _GROUPS and 1 < len(block.lines) <= _LONGEST_ITEM]
    return places + [(_bearer(block), block.numbers, block.words) for block in items if block.numbers]


_GROUPS = frozenset({"row", "listitem", "article", "heading"})
_LONGEST_ITEM = 12
"""Lines; a longer block is a whole section, in which a number may belong to anything."""


def _bearer(block: Block) -> Line:
    return next((line for line in block.lines if line.words and line.numbers), block.lines[0])


_PRICE = re.compile(r"\b(?:costs?|priced?|for sale at)\b")
_PRICE_TALK = GENERIC | frozenset(stem(word) for word in ("price", "priced", "sale", "incl", "excl", "tax", "vat"))


def price(statement: Statement, page: Page) -> Hint | None:
    """'The product costs £12.50' against the only price that stands alone on a page about one thing."""
    test = number_test(statement)
    if test is None or not _PRICE.search(statement.lower):
        return None
    about = statement.words - _PRICE_TALK - _VALUE_TALK
    if about and not any(about <= line.said_words for line in page.titles()):
        return None
    bare = [line for line in page.lines if line.numbers and line.words <= _PRICE_TALK]
    prices = {number.value: line for line in bare for number in line.numbers if number.money}
    if len(prices) != 1:
        return None
    (value, line), *_ = prices.items()
    return hint(holds=test(value) != statement.negated, strength=0.7, lines=[line])


_DURATION = re.compile(
    r"\b(?:(?P<hours>\d+)\s*(?:h|hrs?|hours?)\b(?:\s*(?:and\s*)?(?P<more>\d+)\s*(?:m|mins?|minutes?)\b)?"
    r"|(?P<minutes>\d+)\s*(?:mins?|minutes?)\b)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b(?:time|duration|takes?)\W{1,3}(?P<hours>\d{1,2}):(?P<minutes>\d\d)\b(?!:)", re.IGNORECASE)


def durations(statement: Statement, page: Page) -> Hint | None:
    """'The drive takes about 31 minutes' against 'Time: 0:31' or '31 min'."""
    said = _DURATION.search(statement.lower)
    if said is None or not re.search(r"\b(?:takes?|took|lasts?|duration|time|long)\b", statement.lower):
        return None
    found: dict[int, Line] = {}
    for line in page.lines:
        for match in (*_DURATION.finditer(line.text), *_CLOCK.finditer(line.text)):
            found.setdefault(_in_minutes(match), line)
    minutes = _in_minutes(said)
    if minutes in found:
        return hint(holds=not statement.negated, strength=0.65, lines=[found[minutes]])
    if len(found) == 1 and not re.search(r"\b(?:about|around|than|under|over|most|least)\b", statement.lower):
        return hint(holds=statement.negated, strength=0.6, lines=list(found.values()))
    return None


def _in_minutes(match: re.Match[str]) -> int:
    parts = match.groupdict()
    return 60 * int(parts["hours"] or 0) + int(parts.get("more") or 0) + int(parts["minutes"] or 0)


def counts(statement: Statement, page: Page) -> Hint | None:
    """'More than 300 orders are listed' against '308 records found' or 'Showing 1 - 20 of 308'."""
    test = number_test(statement)
    if test is None or statement.numbers[0].money or not _RESULT_TALK.search(statement.lower):
        return None
    if _ONE_PAGE.search(statement.lower):
        return None
    for line in page.lines:
        if match := _OF.search(line.said):
            return hint(holds=test(_whole(match["all"])) != statement.negated, strength=0.75, lines=[line])
        for match in _COUNT.finditer(line.said):
            noun = words(match[2])
            if noun & _FOUND and (noun <= _FOUND | statement.words or not noun - _FOUND):
                return hint(holds=test(_whole(match[1])) != statement.negated, strength=0.75, lines=[line])
    return None


def _whole(digits: str) -> float:
    return float(digits.replace(",", ""))


_RESULT_TALK = re.compile(r"\b(results?|records?|entries|match(?:es)?|listed|found|shown|displayed|returned|lists?)\b")
_HAS_NUMBER = re.compile(r"\b(?:has|have|shows?|there is|with) an? ([a-z]+ (?:number|code|id|reference))\b")


def numbered(statement: Statement, page: Page) -> Hint | None:
    """'Your order has an order number': a line in which such a number is given."""
    match = _HAS_NUMBER.search(statement.lower)
    if match is None:
        return None
    given = re.compile(rf"\b{match[1]}\W+(?:is\W+)?[A-Z#-]*\d", re.IGNORECASE)
    line = next((line for line in page.lines if given.search(line.said)), None)
    return hint(holds=not statement.negated, strength=0.8, lines=[line]) if line else None


_ONE_PAGE = re.compile(r"\b(?:only one|a single|just one) page\b")
_PAGES = re.compile(r"^(?:page \d+ )?of (\d+)$|\bpage \d+ of (\d+)\b", re.IGNORECASE)


def pages(statement: Statement, page: Page) -> Hint | None:
    """'There is only one page of orders' against 'Page 1 of 16'."""
    if not _ONE_PAGE.search(statement.lower):
        return None
    for line in page.lines:
        if match := _PAGES.search(line.said.strip()):
            return hint(holds=int(match[1] or match[2]) == 1, strength=0.8, lines=[line])
        if match := _OF.search(line.said):
            return hint(holds=_whole(match["all"]) <= _whole(match["last"]), strength=0.7, lines=[line])
    return None


NUMBER_RULES = (fields, amounts, price, durations, counts, numbered, pages)
