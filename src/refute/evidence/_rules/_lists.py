"""Rules about lists: that nothing is there, that something is, and that everything is of one kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from refute.evidence._page import Block, Line, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._rules._numbers import number_test
from refute.evidence._statement import Statement
from refute.evidence._words import coverage, negated, numbers, stem, words

_NONE_ON_PAGE = re.compile(
    r"\b(?:no|0|zero|not have any|any)(?![.,:]?\d) ((?:[a-z-]+ ?){1,4})|"
    r"\b(?:is|are) (?:currently )?(empty)\b|(nothing)",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"\b(?:is|are|appears|looks|remains) (?:now |still |currently )?empty\b|\bempty (?:list|cart|basket)\b"
)
_NO = re.compile(r"\b(?:no|zero|0)\s+((?:(?!is\b|are\b|was\b|were\b|has\b|have\b|in\b|on\b|for\b)[a-z-]+\s*){1,3})")
_SOME = re.compile(
    r"\b(at least one|one or more|shows?|contains?|lists?|has|have|there (?:is|are)|listed|shown|displayed|found|"
    r"returned)\b"
)
_SOFT = frozenset(stem(word) for word in ("longer", "more", "further", "other", "matching", "found", "result", "item"))


@lru_cache(maxsize=64)
def _absences(page: Page) -> list[tuple[Line, frozenset[str]]]:
    """Lines that say that something is missing, with the words for what."""
    found: list[tuple[Line, frozenset[str]]] = []
    for line in page.lines:
        if len(line.said) > 200 or line.kind == "row":
            continue
        match = _NONE_ON_PAGE.search(line.said)
        if match is None or (match[0].lower().startswith("any") and not re.search(r"n't|not\b", line.said)):
            continue
        what = words(match[1].partition(" in ")[0]) if match[1] else line.said_words - {"empty", stem("empty")}
        found.append((line, what))
    return found


def _subject(statement: Statement) -> tuple[frozenset[str], bool] | None:
    """What the statement says is missing: (its words, whether by 'is empty'); None when it says no such thing."""
    if match := _EMPTY.search(statement.lower):
        before = words(statement.text[: match.start()])
        return (before or words(match[0])) - {stem("empty"), stem("look")}, True
    if match := _NO.search(statement.lower):
        return words(match[1]), False
    return None


def nothing(statement: Statement, page: Page) -> Hint | None:
    """'The basket is empty', 'No open issues are shown'."""
    subject = _subject(statement)
    if subject is None:
        return None
    what, by_empty = subject
    if by_empty and statement.negated:
        return None
    for line, missing in _absences(page):
        said = line.said_words if by_empty else missing | line.said_words
        if (what and what <= said) or (by_empty and what & line.said_words and missing & _SOFT):
            return hint(holds=True, strength=0.85, lines=[line])
    for line in page.lines:  # a badge such as 'My Cart 2' or 'Issues (5)'
        if _badge(line, what):
            return hint(holds=False, strength=0.7, lines=[line])
    filled = _filled_with(page, what) if by_empty else None
    return hint(holds=False, strength=0.75, lines=[filled]) if filled else None


def _badge(line: Line, what: frozenset[str]) -> bool:
    """Whether the line is little more than `what` and how many there are."""
    if not what or not what <= line.words or len(line.words) > len(what) + 1 or len(line.controls) > 1:
        return False
    count = numbers(line.text)
    return len(count) == 1 and not count[0].money and count[0].value > 0


def _filled_with(page: Page, what: frozenset[str]) -> Line | None:
    """An item with a quantity on a page whose title or heading is about `what`."""
    titled = any(what <= line.said_words for line in page.titles())
    if not titled or not what:
        return None
    quantity = stem("quantity")
    return next((line for line, c in page.controls() if quantity in c.words and c.value not in (None, "", "0")), None)


def something(statement: Statement, page: Page) -> Hint | None:
    """'The list shows at least one open issue' on a page that says there is none."""
    if statement.negated or _subject(statement) is not None or not _SOME.search(statement.lower):
        return None
    for line, missing in _absences(page):
        if missing and missing - _MORE and missing <= statement.words:
            return hint(holds=False, strength=0.8, lines=[line])
        if missing and missing <= _SOFT and coverage(line.said_words - missing, statement.words) >= 0.5:
            return hint(holds=False, strength=0.8, lines=[line])
    return None


_MORE = frozenset(stem(word) for word in ("more", "longer", "further", "other", "additional"))
_ONLY = re.compile(
    r"\bonly\s+(?:the\s+)?(.+?)\W*$|\b(?:all|every|each)\s+(?:of the\s+)?(?:shown\s+|listed\s+)?(.+?)\W*$"
)
_COLLECTION = frozenset(
    stem(word)
    for word in ("product", "order", "item", "result", "entry", "row", "article", "post", "record", "brand", "status")
)


def only(statement: Statement, page: Page) -> Hint | None:
    """'The grid shows only pending orders': every item must bear the words, and a single one without them denies it."""
    match = _ONLY.search(statement.lower)
    if match is None or statement.negated or statement.numbers:
        return None
    told = words(_LISTED.sub("", match[1] or match[2].partition(" ")[2] or match[2]))
    wanted = (words(statement.names[0]) if statement.names else told) - _COLLECTION
    items = _items(page, wanted)
    anywhere = frozenset[str]().union(*(block.words for block in items))
    if len(items) < 2 or not wanted & anywhere:
        return None  # the words may say what no item spells out
    wanted = wanted & anywhere if len(wanted - anywhere) == 1 else wanted  # the one may be what the items are called
    without = [block for block in items if not wanted <= block.words or _denied(wanted, block)]
    if not without:
        return hint(holds=True, strength=0.75, lines=[block.lines[0] for block in items])
    if len(without) == len(items):
        return None
    return hint(holds=False, strength=0.8, lines=[block.lines[0] for block in without[:3]])


def _denied(wanted: frozenset[str], block: Block) -> bool:
    """Whether the item says of itself that it lacks what is wanted: 'No reviews yet'."""
    return any(wanted & line.said_words and negated(line.said) for line in block.lines)


_NONE_OF = re.compile(
    r"\b(?:none of the|no) [a-z]+(?: (?:in|on) the \w+)? (?:is|are|was|were|has|have) (?P<what>.+?)\W*$"
)


def none(statement: Statement, page: Page) -> Hint | None:
    """'None of the issues is labelled docs': a single item that bears the words denies it."""
    match = _NONE_OF.search(statement.lower)
    wanted = words(match["what"]) - _COLLECTION if match else frozenset[str]()
    if not wanted or statement.numbers:
        return None
    items = _items(page, wanted)
    bearing = [block for block in items if wanted <= block.words and not _denied(wanted, block)]
    if len(items) < 2 or not bearing:
        return None  # the words may say what no item spells out
    return hint(holds=False, strength=0.75, lines=[_shows(wanted, block) for block in bearing[:3]])


def _shows(wanted: frozenset[str], block: Block) -> Line:
    return next((line for line in block.lines if wanted & line.words), block.lines[0])


_LISTED = re.compile(r"\s(?:is|are|was|were) (?:listed|shown|displayed|visible|found|returned|included)\b.*$")


def every_price(statement: Statement, page: Page) -> Hint | None:
    """'All products cost less than £15': the price of every item that shows exactly one."""
    test = number_test(statement)
    if test is None or not _ONLY.search(statement.lower) or not statement.numbers[0].money or statement.negated:
        return None
    priced: list[tuple[float, Line]] = []
    for block in _items(page, frozenset({})):
        found = [(number.value, line) for line in block.lines for number in line.numbers if number.money]
        priced += found if len(found) == 1 else []
    if len(priced) < 2:
        return None
    over = [line for value, line in priced if not test(value)]
    return hint(holds=not over, strength=0.75, lines=over or [line for _, line in priced])


def _items(page: Page, wanted: frozenset[str]) -> Sequence[Block]:
    """The list that a statement is about: the run of rows or items in which its words occur most, without a header."""
    runs: list[list[Block]] = [[]]
    for block in page.blocks:
        if block.kind in ("row", "listitem", "article"):
            if runs[-1] and runs[-1][-1].kind != block.kind:
                runs.append([])
            runs[-1].append(block)
        elif runs[-1]:
            runs.append([])
    runs = [_without_header(run) for run in runs]
    return max(runs, key=lambda run: (sum(wanted <= block.words for block in run), len(run)))


def _without_header(run: list[Block]) -> list[Block]:
    is_table = len(run) > 1 and run[0].kind == "row"
    return run[1:] if is_table and not run[0].numbers and all(block.numbers for block in run[1:]) else run


LIST_RULES = (nothing, something, only, none, every_price)
