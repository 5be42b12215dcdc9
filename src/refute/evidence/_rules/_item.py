"""Looking at one item of a list: the one that a statement names, so that other items' numbers are not taken for its."""

from __future__ import annotations

import re
from dataclasses import replace

from refute.evidence._page import Block, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._rules._numbers import number_test
from refute.evidence._statement import Statement
from refute.evidence._words import stem, words

_ITEMS = frozenset({"row", "listitem", "article"})
_PROPER = re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*")
_ALL = re.compile(r"\b(?:only|all|every|each|none|no other|search|results?|records?|matching)\b")
_NOTHING = Block("text", (), frozenset(), ())


def item(statement: Statement, page: Page) -> Block | None:
    """The only row or list item that bears the statement's codes ('#812'), or else its names (words with a capital);
    None when there are several such items, or none, or when the statement speaks of all of them."""
    if _ALL.search(statement.lower):
        return None
    named = words(" ".join(_PROPER.findall(statement.text)))
    if not statement.codes and not named:
        return None
    found = [
        block
        for block in page.blocks
        if block.kind in _ITEMS and (block.numbers or len(block.lines) > 1) and _bears(block, statement, named)
    ]
    return found[0] if len(found) == 1 else None


def _bears(block: Block, statement: Statement, named: frozenset[str]) -> bool:
    if statement.codes:
        return all(any(code in line.text for line in block.lines) for code in statement.codes)
    return named <= block.words


def focused(page: Page, block: Block) -> Page:
    """The page with this item, and titles and headings, as all that it says."""
    kept = {id(line) for line in (*block.lines, *page.titles())}
    return replace(
        page,
        lines=tuple(line for line in page.lines if id(line) in kept),
        blocks=tuple(other if other is block or other.kind == "heading" else _NOTHING for other in page.blocks),
    )


_IS = re.compile(
    r"\b(?:is|are|was|has been|have been) (?P<not>not |no longer )?(?:now |already |currently )?(?P<what>[a-z]+)\W*$"
)
_COMMON = frozenset(
    stem(word) for word in ["shown", "listed", "displayed", "visible", "there", "open", "selected", "empty"]
)


def item_state(statement: Statement, page: Page) -> Hint | None:
    """'The Theatre Nurse job is saved', 'Ines Costa has been unblocked' against what the item itself says."""
    match, block = _IS.search(statement.lower), item(statement, page)
    if match is None or block is None or statement.numbers:
        return None
    claimed = match["what"]
    if stem(claimed) in _COMMON:
        return None
    opposite = claimed.removeprefix("un") if claimed.startswith("un") else f"un{claimed}"
    for line in block.lines:
        said = re.sub(r"[^\w\s]", " ", line.said.lower()).split()
        if claimed in said or (opposite in said and len(opposite) > 3):
            return hint(holds=(claimed in said) != bool(match["not"]), strength=0.7, lines=[line])
    return None


def item_price(statement: Statement, page: Page) -> Hint | None:
    """'The Community Nurse job pays more than £18' against the only amount of money that the item shows."""
    test, block = number_test(statement), item(statement, page)
    if test is None or block is None or not statement.numbers[0].money:
        return None
    money = [(number.value, line) for line in block.lines for number in line.numbers if number.money]
    if len({value for value, _ in money}) != 1:
        return None
    value, line = money[0]
    return hint(holds=test(value) != statement.negated, strength=0.7, lines=[line])


ITEM_RULES = (item_state, item_price)
