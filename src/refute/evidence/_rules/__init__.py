"""The rules of the lexical matcher, one idea each; a new idea is a new function in the tuple of its module."""

from refute.evidence._page import Page
from refute.evidence._rules._controls import CONTROL_RULES
from refute.evidence._rules._hint import Hint, Rule
from refute.evidence._rules._lists import LIST_RULES
from refute.evidence._rules._numbers import NUMBER_RULES
from refute.evidence._rules._quoted import quoted
from refute.evidence._rules._text import TEXT_RULES
from refute.evidence._statement import Statement

RULES: tuple[Rule, ...] = (*NUMBER_RULES, *CONTROL_RULES, *LIST_RULES, *TEXT_RULES)


def hints(statement: Statement, page: Page) -> list[Hint]:
    """What the rules have to say. A claim about a quoted text alone has one rule, and only that."""
    own = quoted(statement, page)
    if own is not None:
        return [own]
    return [found for rule in RULES if (found := rule(statement, page)) is not None]


__all__ = ["RULES", "Hint", "Rule", "hints"]
