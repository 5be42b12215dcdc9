"""The fast tester replayed over recorded states: what the agent's own tester said, and what follows for a detector."""

from __future__ import annotations

import asyncio
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from refute.agents import Commitment, FastTester, FcpSettings, Route, Routing
from refute.agents.fcp._fast_tester import Weighed as Tested
from refute.browser import Observation
from refute.drift import Drive, State
from refute.drift._detector import Weighed, Why, falsified, reasons, shifted, states, weigh
from refute.drift._plans import own_plan
from refute.evidence import TextScorer, open_scorer

from .making import OUT, QUIET, STOCKED, drive, state

PLAIN = FcpSettings()
TEXTS = (
    QUIET,
    'searchbox "Search" (value="lamp")',
    "# Blue lamp\nPrice $40",
    '"Blue lamp" has been added to your basket',
    '"Blue lamp" is sold out',
    OUT,
)


def weighed(made: Drive, by: FcpSettings = PLAIN) -> list[Weighed]:
    return asyncio.run(weigh(made, own_plan(made), by))


def why(made: Drive, by: FcpSettings = PLAIN) -> list[Why | None]:
    return reasons(weighed(made), by)


def test_an_error_page_and_a_dead_click_are_rules() -> None:
    made = drive([state(1), state(2, since=0, failed=True), state(3, since=1, changed=False)])
    assert why(made) == [None, Why.RULE, Why.RULE]


def test_a_state_is_tested_against_the_commitment_that_was_active_before_it() -> None:
    added = '"Blue lamp" has been added to your basket'
    found = weighed(drive([state(1, finished=1), state(2, added, finished=2), state(3, added, finished=2)]))
    assert [w.scores.completion > 0.5 for w in found] == [False, True]  # at the third, nothing is left to be tested


def test_who_says_that_a_step_is_achieved_is_asked() -> None:
    assert why(drive([state(1, claims=True), state(2)])) == [Why.CLAIM, None]


def test_after_four_quiet_states_the_fifth_is_checked_and_the_count_starts_anew() -> None:
    made = drive([state(n, f"{QUIET}, part {n}") for n in range(1, 12)])
    assert [n for n, reason in enumerate(why(made), start=1) if reason is Why.PERIODIC] == [5, 10]


def test_the_same_click_on_the_same_page_again_and_again_is_a_circle() -> None:
    assert why(drive([state(n) for n in range(1, 5)])).count(Why.RULE) == 1


def test_an_obstacle_that_is_dealt_with_is_not_scored() -> None:
    made = drive([state(1), state(2).model_copy(update={"label": "passing"}), state(3)])
    assert len(states(weighed(made), why(made))) == 2


def test_a_precondition_that_is_contradicted_asks_and_quiet_states_are_counted_anew() -> None:
    """The second commitment starts on the page of the third state: the check comes five states later."""
    for text, checked in ((OUT, 8), (QUIET, 5)):
        pages = [state(n, text if n == 3 else f"{QUIET}, part {n}", finished=n > 2) for n in range(1, 10)]
        made = drive(pages).model_copy(update={"plan": STOCKED})
        found = weighed(made)
        assert [w.state.number for w in found if w.start_asked] == ([4] if checked == 8 else [])
        assert [n for n, reason in enumerate(why(made), start=1) if reason is Why.PERIODIC] == [checked]


def test_a_falsifier_that_reaches_its_threshold_is_counted_where_no_rule_fired() -> None:
    sold_out = '"Blue lamp" is sold out'
    made = drive([state(1, sold_out), state(2), state(3, sold_out, since=0), state(4, sold_out, since=1, failed=True)])
    assert [(s.since, s.escalated) for s in falsified(weighed(made), PLAIN)] == [(None, True), (None, False), (0, True)]


@st.composite
def drives(draw: st.DrawFn) -> Drive:
    """Up to nine pages, on track and then off it."""
    kinds = st.tuples(st.sampled_from(TEXTS), st.booleans(), st.booleans(), st.integers(0, 9))
    made: list[State] = []
    for text, claims, failed, odd in draw(st.lists(kinds, min_size=1, max_size=9)):
        finished = min(2, (made[-1].finished if made else 0) + (odd == 0))
        made.append(state(len(made) + 1, text, claims=claims, failed=failed and odd < 3, finished=finished))
    return drive(made)


class Spy(FastTester):
    """A tester that keeps which states it escalated."""

    def __init__(self, scorer: TextScorer, settings: FcpSettings) -> None:
        super().__init__(scorer, settings)
        self.asked: list[bool] = []

    async def state(
        self,
        commitment: Commitment,
        observation: Observation,
        *,
        anomaly: str,
        claimed: bool,
        picture: bytes | None = None,
    ) -> Tested:
        found = await super().state(commitment, observation, anomaly=anomaly, claimed=claimed, picture=picture)
        self.asked.append(found.tested.route is not Route.CONTINUE)
        return found


@settings(max_examples=40)
@given(drives(), st.sampled_from(list(Routing)))
def test_the_replay_says_what_the_tester_said(made: Drive, routing: Routing) -> None:
    by = FcpSettings(routing=routing)
    spy = Spy(open_scorer(by.scorer), by)
    with mock.patch("refute.drift._detector.open_tester", return_value=spy):
        found = weighed(made.model_copy(update={"plan": STOCKED}), by)
    assert [reason is not None for reason in reasons(found, by)] == spy.asked


@settings(max_examples=40)
@given(drives())
def test_evidence_alone_asks_for_nothing_once_thresholds_are_out_of_reach(made: Drive) -> None:
    assert Why.EVIDENCE not in why(made, shifted(PLAIN, 0.7))
    assert None not in why(made, shifted(PLAIN, -0.7))


@settings(max_examples=40)
@given(drives(), st.integers(0, 4), st.sampled_from(list(Routing)))
def test_a_drift_never_goes_unasked_for_longer_than_the_quiet_states_that_are_allowed(
    made: Drive, quiet: int, routing: Routing
) -> None:
    asked = [reason is not None for reason in why(made, FcpSettings(routing=routing, max_consecutive_continue=quiet))]
    assert all(any(asked[n : n + quiet + 1]) for n in range(len(asked) - quiet))
