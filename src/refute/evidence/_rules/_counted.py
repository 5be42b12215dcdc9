"""Rules about how many there are of something: 'two guests' against '1 room, 2 guests'."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from refute.evidence._page import Line, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._rules._numbers import number_test
from refute.evidence._statement import Statement, parse_statement
from refute.evidence._words import GENERIC, coverage, numbers, stem, words

_COUNT = re.compile(
    r"(?<![\w.,$€£¥#/-])(?P<number>\d{1,3}(?:,\d{3})+|\d+)[ \u00a0]+"
    r"(?P<after>(?:[^\W\d_][\w'’-]*[ \u00a0]?){1,3})"
)
_SEARCHED = re.compile(r"\b(?:search|match(?:es|ed|ing)?|found|returned)\b")
_RESULTS = frozenset(stem(word) for word in ("results", "records", "entries", "matches", "hits"))
_TIMES = re.compile(r"(?<![\w.,$€£¥])(\d{1,3}) ?[×x](?= ?[$€£¥\d])")
"""'2 × $39.00': how many of an item."""
_NO = re.compile(r"\b(?P<no>no|zero|none of the|without any?)\s+(?P<noun>[a-z]+)")
_TALK_TEXT = (
    "least most more less fewer than exactly about around only over under match found search return total available "
    "stay number different"
)
_TALK = frozenset(stem(word) for word in _TALK_TEXT.split())


def counted(statement: Statement, page: Page) -> Hint | None:
    """A number of things against the same things counted on the page, in the item that is spoken of if there is one."""
    asked = _asked(statement)
    if asked is None:
        return None
    noun, test = asked
    rest = statement.words - {noun} - _TALK - GENERIC
    told: list[tuple[float, bool, Line]] = []
    about = page.about()
    of_results = _SEARCHED.search(statement.lower) is not None
    for line, value in _counts(page, noun, of_results=of_results):
        share = coverage(rest, page.block(line).words | about) if rest else 1.0
        told.append((share, test(value), line))
    if not told:
        return None
    best = max(share for share, _, _ in told)
    top = [(holds, line) for share, holds, line in told if share == best]
    if len({holds for holds, _ in top}) != 1 or (best < 0.5 and len(top) > 1):
        return None
    holds, line = top[0]
    strength = 0.5 + 0.25 * best if best >= 0.3 or len(statement.codes) else 0.4
    return hint(holds=holds, strength=strength, lines=[line])


def _asked(statement: Statement) -> tuple[str, Callable[[float], bool]] | None:
    """What is counted (a stem), and what is asked of how many there are."""
    if match := _NO.search(statement.lower):
        (noun,) = words(match["noun"]) or ("",)
        return (noun, lambda have: have == 0) if noun and not statement.numbers else None
    test = number_test(statement)
    if test is None or statement.negated or statement.numbers[0].money:
        return None
    noun = statement.numbers[0].noun
    return (noun, test) if noun and noun not in GENERIC | _UNITS else None


_UNITS = frozenset(
    stem(word) for word in ["percent", "star", "out", "time", "pound", "dollar", "euro", "am", "pm", "day"]
)


def _counts(page: Page, noun: str, *, of_results: bool) -> Iterator[tuple[Line, float]]:
    """Lines that count things of this name, with how many; or results of any name."""
    for line in page.lines:
        for match in _COUNT.finditer(line.text):
            after = {stem(word) for word in match["after"].lower().split()}
            if noun in after or (of_results and after & _RESULTS):
                yield line, float(match["number"].replace(",", ""))
        if noun in line.words and (times := _TIMES.search(line.text)):
            yield line, float(times[1])


_COST = re.compile(r"\b(?:costs?|price|priced|pays?|fare|for sale|cheap|expensive|under|over|below|above|less|more)\b")
_LEAST = re.compile(r"\b(?:cheapest|lowest|least expensive|smallest)\b")
_MOST = re.compile(r"\b(?:dearest|highest|most expensive|largest)\b")
_SOME = re.compile(r"\b(?:at least one|one or more|some|there (?:is|are) an?)\b")
_NONE = re.compile(r"\b(?:no|none of the|not any)\b")
_AT_LEAST_ONE = re.compile(r"\bat least one\b|\bone or more\b")


def priced(statement: Statement, page: Page) -> Hint | None:
    """'The cheapest flight costs €478', 'No flight under €500 is listed': the prices of the items of a list."""
    money = [number for number in statement.numbers if number.money]
    if len(money) != 1 or not _COST.search(statement.lower):
        return None
    prices = _prices(page)
    if len(prices) < 2:
        return None
    values = [value for value, _ in prices]
    for cue, extreme in ((_LEAST, min(values)), (_MOST, max(values))):
        if cue.search(statement.lower):
            line = next(line for value, line in prices if value == extreme)
            return hint(holds=abs(extreme - money[0].value) < 0.005, strength=0.75, lines=[line])
    some, none = _SOME.search(statement.lower), _NONE.search(statement.lower)
    test = number_test(_without_count(statement))
    if test is None or not (some or none):
        return None
    fitting = [line for value, line in prices if test(value)]
    return hint(holds=bool(fitting) == bool(some), strength=0.75, lines=fitting[:2] or [prices[0][1]])


def _without_count(statement: Statement) -> Statement:
    (first, *_) = parse_statement(_AT_LEAST_ONE.sub("some", statement.lower))
    return first


def _prices(page: Page) -> list[tuple[float, Line]]:
    """The price of every list item and row that has just one."""
    found: list[tuple[float, Line]] = []
    for block in page.blocks:
        if block.kind not in ("row", "listitem", "article"):
            continue
        money = [(number.value, line) for line in block.lines for number in numbers(line.text) if number.money]
        found += money if len(money) == 1 else []
    return found


COUNT_RULES = (counted, priced)
