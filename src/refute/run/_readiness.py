"""Which suites can be opened here."""

from __future__ import annotations

from refute._errors import UserError
from refute._readiness import Readiness, State
from refute.suites import open_suite, suite_names

PART = "suites"


async def suites_readiness() -> list[Readiness]:
    """Each suite: how many tasks it has, or what it says that it needs. None is needed for the demo but the shop's."""
    return [_suite(name) for name in suite_names()]


def _suite(name: str) -> Readiness:
    try:
        suite = open_suite(name)
    except UserError as error:
        return Readiness(part=PART, name=name, state=State.OPTIONAL, detail="cannot be opened yet", cure=str(error))
    if suite.site is not None and not suite.site.ready():
        cure = f"refute arena setup {suite.site.name}"
        return Readiness(part=PART, name=name, state=State.OPTIONAL, detail="its site is not set up", cure=cure)
    templates = len({task.template for task in suite.tasks})
    detail = f"{len(suite.tasks)} tasks of {templates} kinds"
    return Readiness(part=PART, name=name, state=State.READY, detail=detail)
