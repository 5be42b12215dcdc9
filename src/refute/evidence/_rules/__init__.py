"""The rules of the lexical matcher, one idea each; a new idea is a new function in the tuple of its module."""

from refute.evidence._page import Page
from refute.evidence._rules._controls import CONTROL_RULES
from refute.evidence._rules._counted import COUNT_RULES
from refute.evidence._rules._done import DONE_RULES
from refute.evidence._rules._facts import FACT_RULES
from refute.evidence._rules._hint import Hint, Rule
from refute.evidence._rules._item import ITEM_RULES, focused, item
from refute.evidence._rules._lists import LIST_RULES
from refute.evidence._rules._numbers import NUMBER_RULES
from refute.evidence._rules._parts import PART_RULES
from refute.evidence._rules._quoted import quoted
from refute.evidence._rules._text import TEXT_RULES
from refute.evidence._statement import Statement

ITEM_WISE: tuple[Rule, ...] = (*NUMBER_RULES, *COUNT_RULES, *LIST_RULES)
"""Rules that look at one item alone when the statement names it."""
PAGE_WISE: tuple[Rule, ...] = (*FACT_RULES, *ITEM_RULES, *CONTROL_RULES, *PART_RULES, *DONE_RULES, *TEXT_RULES)
RULES: tuple[Rule, ...] = (*ITEM_WISE, *PAGE_WISE)


def hints(statement: Statement, page: Page) -> list[Hint]:
    """What the rules have to say. A claim about a quoted text alone has one rule, and only that."""
    own = quoted(statement, page)
    if own is not None:
        return [own]
    if not all(any(code in line.text for line in page.lines) for code in statement.codes):
        return []  # the page says nothing of it; what it says of others is no evidence
    named = item(statement, page)
    near = focused(page, named) if named else page
    asked = [(rule, near) for rule in ITEM_WISE] + [(rule, page) for rule in PAGE_WISE]
    return [found for rule, part in asked if (found := rule(statement, part)) is not None]


__all__ = ["RULES", "Hint", "Rule", "hints"]
