"""Whatever a model answers, a repair or a revision keeps what it has to keep."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refute.agents import (
    REPORT,
    Draft,
    Falsified,
    FcpSettings,
    PlanEntry,
    Recovery,
    RepairerOutput,
    ReviserOutput,
    Scope,
    Skill,
)
from refute.agents.fcp._plan import Plan
from refute.agents.fcp._repair import apply_repair
from refute.agents.fcp._revision import apply_revision

SKILLS = (Skill(name="search", steps=("Search.",)),)
DRAFTS = st.builds(
    Draft, subgoal=st.sampled_from(["find", "fill", "look"]), skill=st.sampled_from([None, "search", "unknown"])
)
NUMBERS = st.integers(-1, 9)
ENTRIES = st.builds(PlanEntry, keep=st.none() | NUMBERS, new=st.none() | DRAFTS)
REVISIONS = st.builds(
    ReviserOutput,
    falsified=st.lists(st.builds(Falsified, number=NUMBERS, why=st.just("so")), max_size=4).map(tuple),
    plan=st.lists(ENTRIES, min_size=1, max_size=6).map(tuple),
)
REPAIRS = st.builds(
    RepairerOutput,
    scope=st.sampled_from(Scope),
    recovery=st.sampled_from(Recovery),
    commitments=st.lists(DRAFTS, max_size=4).map(tuple),
)


def plan_with(drafts: list[Draft], confirmed: int) -> Plan:
    plan = Plan(SKILLS)
    plan.set_open([plan.enter(draft) for draft in drafts])
    for _ in range(min(confirmed, len(drafts))):
        plan.confirm("done")
    return plan


PLANS = st.builds(plan_with, st.lists(DRAFTS, min_size=1, max_size=5), st.integers(0, 5))


def check(plan: Plan) -> None:
    """What holds of every plan."""
    numbers = [c.number for c in plan.whole]
    assert len(numbers) == len(set(numbers))
    assert plan.active is plan.open[0]
    assert all(c.skill in (None, "search") for c in plan.whole)
    assert plan.reporting is (plan.active.subgoal == REPORT)


@given(PLANS, REVISIONS)
def test_a_revision_loses_nothing_that_it_does_not_falsify(plan: Plan, answer: ReviserOutput) -> None:
    finished, was_open = list(plan.finished), plan.revisable
    named = {f.number for f in answer.falsified}
    result = apply_revision(plan, answer, revision="Take two.", goal_version=1)

    check(plan)
    assert [f for f in finished if f.commitment.number not in named] == plan.finished
    assert all(c in plan.open for c in was_open if c.number not in named)
    assert not named & {c.number for c in plan.open if c.goal_version == 0}
    assert {f.number for f in result.falsified} <= {c.number for c in was_open} | {
        f.commitment.number for f in finished
    }
    assert not plan.reporting


@given(PLANS, REPAIRS)
def test_a_repair_never_touches_finished_steps_and_stays_within_its_scope(plan: Plan, answer: RepairerOutput) -> None:
    finished, was_open = list(plan.finished), list(plan.open)
    change = apply_repair(plan, answer, FcpSettings())

    check(plan)
    assert plan.finished == finished
    if change.scope is Scope.EXECUTION:
        assert plan.open == was_open
    if change.scope is Scope.SKILL:
        assert plan.open[1:] == was_open[1:]
        assert plan.active.subgoal == was_open[0].subgoal
        assert plan.active.number > was_open[-1].number
    if change.scope is Scope.PLANNING:
        assert change.replaced == tuple(was_open[1:])
        assert [c.subgoal for c in plan.open] == [d.subgoal for d in answer.commitments]
