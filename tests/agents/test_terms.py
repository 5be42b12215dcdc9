"""Equation 5: the text and the image term of the fast tester, together and alone, and what the trace says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from refute.agents import (
    Commitment,
    Confirmation,
    Draft,
    Falsifier,
    FastTester,
    FcpAgent,
    FcpSettings,
    Route,
    Scope,
    Stage,
    Terms,
    Tested,
)
from refute.evidence import EachStatement, Label, Verdict

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

STEP = Commitment(
    number=1,
    subgoal="Put the mug into the basket",
    confirming=(
        Confirmation(stage=Stage.PROGRESS, statement="the mug"),
        Confirmation(stage=Stage.COMPLETION, statement="basket: the mug"),
    ),
    falsifying=(
        Falsifier(scope=Scope.EXECUTION, statement="an error"),
        Falsifier(scope=Scope.PLANNING, statement="no such mug"),
    ),
)
PICTURE = b"a picture of the page"


def literal(text: str, statement: str) -> Verdict:
    support = float(statement in text)
    return Verdict(label=Label.SUPPORTED if support else Label.UNKNOWN, support=support, contradiction=0, lines=())


class Seen:
    """Finds in a picture what it is told to, and remembers what it was asked."""

    name = "seen"

    def __init__(self, **fits: float) -> None:
        self.fits = {statement.replace("_", " "): fit for statement, fit in fits.items()}
        self.asked: list[tuple[bytes, tuple[str, ...]]] = []

    async def score(self, picture: bytes, statements: Sequence[str]) -> tuple[float, ...]:
        self.asked.append((picture, tuple(statements)))
        return tuple(self.fits.get(statement, 0.0) for statement in statements)


class Text(EachStatement):
    """The literal scorer, counting its calls."""

    def __init__(self) -> None:
        super().__init__("literal", literal)
        self.calls: list[tuple[str, ...]] = []

    async def score(self, text: str, statements: Sequence[str]) -> tuple[Verdict, ...]:
        self.calls.append(tuple(statements))
        return await super().score(text, statements)


async def weigh(stage: Scene, text: str, seen: Seen | None, *, picture: bytes | None = PICTURE) -> Tested:
    tester = FastTester(Text(), FcpSettings(), image_scorer=seen)
    weighed = await tester.state(STEP, stage.page(text), anomaly="", claimed=False, picture=picture)
    return weighed.tested


async def test_a_statement_gets_four_fifths_of_the_text_and_one_of_the_picture(stage: Scene) -> None:
    found = await weigh(stage, "the mug", Seen(the_mug=0.5, no_such_mug=0.25))
    assert found.progress == pytest.approx(0.8 * 1 + 0.2 * 0.5)
    assert found.falsification == pytest.approx(0.2 * 0.25)
    assert found.group is Scope.PLANNING
    assert found.text == Terms(progress=1, completion=0, falsification=0)
    assert found.image == Terms(progress=0.5, completion=0, falsification=0.25)
    assert (found.scorer, found.image_scorer) == ("literal", "seen")


@pytest.mark.parametrize(("seen", "picture"), [(None, PICTURE), (Seen(the_mug=0.5), None), (None, None)])
async def test_without_a_picture_the_text_stands_alone_and_the_trace_says_so(
    stage: Scene, seen: Seen | None, picture: bytes | None
) -> None:
    found = await weigh(stage, "the mug", seen, picture=picture)
    assert found.progress == 1
    assert (found.scorer, found.image_scorer, found.text, found.image) == ("literal", "", None, None)


@pytest.mark.parametrize(("fit", "chosen"), [(0.0, Route.VERIFY), (1.0, Route.COMPLETE)])
async def test_the_picture_can_tip_the_route(stage: Scene, fit: float, chosen: Route) -> None:
    seen = Seen()
    seen.fits = {"basket: the mug": fit}
    tester = FastTester(Text(), FcpSettings(text_weight=0.6), image_scorer=seen)
    page = stage.page("basket: the mug")
    weighed = await tester.state(STEP, page, anomaly="", claimed=False, picture=PICTURE)
    assert weighed.tested.route is chosen


async def test_all_statements_of_a_state_are_scored_in_one_call(stage: Scene) -> None:
    scorer, seen = Text(), Seen()
    tester = FastTester(scorer, FcpSettings(), image_scorer=seen)
    await tester.state(STEP, stage.page("the mug"), anomaly="", claimed=False, picture=PICTURE)
    statements = ("the mug", "basket: the mug", "an error", "no such mug")
    assert scorer.calls == [statements]
    assert seen.asked == [(PICTURE, statements)]


async def test_a_rule_spares_the_scorers(stage: Scene) -> None:
    scorer, seen = Text(), Seen()
    tester = FastTester(scorer, FcpSettings(), image_scorer=seen)
    weighed = await tester.state(STEP, stage.page(), anomaly="the page failed", claimed=False, picture=PICTURE)
    assert weighed.tested.route is Route.VERIFY
    assert weighed.tested.scorer == ""
    assert (scorer.calls, seen.asked) == ([], [])


async def test_the_weight_is_a_setting(stage: Scene) -> None:
    tester = FastTester(Text(), FcpSettings(text_weight=0.25), image_scorer=Seen(the_mug=0.5))
    weighed = await tester.state(STEP, stage.page("the mug"), anomaly="", claimed=False, picture=PICTURE)
    assert weighed.tested.progress == pytest.approx(0.25 + 0.75 * 0.5)


@pytest.mark.parametrize("sees", [True, False])
async def test_the_agent_takes_a_picture_only_for_who_looks_at_it(stage: Scene, sees: bool) -> None:
    taken: list[bytes] = []

    async def screenshot() -> bytes:
        taken.append(PICTURE)
        return PICTURE

    stage.context = replace(stage.context, screenshot=screenshot)
    settings = FcpSettings(final_check=False)
    agent = FcpAgent(settings=settings, scorer=Text(), image_scorer=Seen() if sees else None)
    draft = Draft(subgoal=STEP.subgoal, confirming=STEP.confirming, falsifying=STEP.falsifying)
    await stage.started(agent, draft)
    await stage.step(agent, "click('4')", stage.page("somewhere else"))

    assert taken == ([PICTURE] if sees else [])
    (tested,) = stage.events(Tested)
    assert (tested.scorer, tested.image_scorer) == ("literal", "seen" if sees else "")
