"""What counts, what a rule decides, and how a condition's outcome is read from the final message."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from refute.goals import Claim as TaskClaim
from refute.goals import Condition, RevisionKind
from refute.judge import (
    Adaptation,
    BranchInput,
    BranchOutput,
    BranchResolved,
    Claim,
    ClaimInput,
    ClaimOutput,
    ClaimsMade,
    ConstraintJudged,
    Holds,
    ResponseInput,
    ResponseOutput,
    SimpleInput,
    SimpleOutput,
    Why,
)
from refute.revisions import Deliver

from .episodes import Judged, Script, conditional, constraint, judged, revision, shopping, task


def claims(x: ClaimInput) -> ClaimOutput:
    return ClaimOutput(claims=(Claim(kind="simple", subject="lamp", assertion=x.text),))


def yes(x: SimpleInput) -> SimpleOutput:
    return SimpleOutput(verified=True, quote=x.message)


def responds(x: ResponseInput) -> ResponseOutput:
    return ResponseOutput(responsive=True, actions=(1,), adaptation=Adaptation.ADDITIVE)


def script(branch: BranchOutput | None = None) -> Script:
    answers: Script = {"claim_generator": claims, "simple_claim_verifier": yes, "response_judge": responds}
    return {**answers, "branch_resolver": lambda x: branch} if branch is not None else answers


def verdicts(out: Judged) -> dict[str, tuple[bool, bool | None, Why]]:
    return {e.constraint: (e.counts, e.satisfied, e.why) for e in out.of(ConstraintJudged)}


# ---- supersession --------------------------------------------------------------------------------------------------


async def test_what_a_revision_replaces_neither_counts_nor_costs_a_question(tmp_path: Path) -> None:
    of = task(
        constraint("cheap", "It costs under $60."),
        constraint("cheaper", "It costs under $40.", bound_to=1),
        revisions=[revision("Under $40, please.", RevisionKind.UNCONDITIONAL, targets=("cheap",))],
    )
    episode = shopping(tmp_path, of)
    episode.deliver(1)
    out = await judged(episode.record(), script(), tmp_path)
    assert verdicts(out) == {"cheap": (False, None, Why.REPLACED), "cheaper": (True, True, Why.CLAIMS)}
    (asked,) = out.model.asked("claim_generator")
    assert [said.text for said in asked.instructions] == [of.initial_instruction, "Under $40, please."]
    assert out.ended.score == 1.0


async def test_what_was_never_delivered_is_unsatisfied_and_not_asked_about(tmp_path: Path) -> None:
    of = task(constraint(), constraint("boxed", bound_to=1), revisions=[revision("In a box.")])
    out = await judged(shopping(tmp_path, of).record(), script(), tmp_path)
    assert verdicts(out)["boxed"] == (True, False, Why.UNDELIVERED)
    assert [x.constraint for x in out.model.asked("claim_generator")] == ["priced"]
    assert out.model.asked("claim_generator")[0].instructions[1:] == ()
    assert out.ended.score == 0.5


@pytest.mark.parametrize("deliver", [Deliver.NEVER, Deliver.UPFRONT])
async def test_under_a_bound_a_condition_is_read_from_the_message_and_its_branch_counts(
    deliver: Deliver, tmp_path: Path
) -> None:
    """What was kept back on purpose is judged like the truth judges it; no prompt names an instruction not said."""
    episode = shopping(tmp_path, conditional(), message=MESSAGE, deliver=deliver)
    answer = BranchOutput(holds=Holds.TRUE, observed="2 reviews", quote="It has 2 reviews")
    out = await judged(episode.record(), script(answer), tmp_path)
    assert verdicts(out) == {
        "cheap": (False, None, Why.REPLACED),
        "still": (False, None, Why.OTHER_BRANCH),
        "dear": (True, True, Why.CLAIMS),
    }
    (asked,) = out.model.asked("claim_generator")
    assert asked.bound_to in {said.number for said in asked.instructions}


# ---- conditions ----------------------------------------------------------------------------------------------------

MESSAGE = "It has 2 reviews, so I ordered the Arbor Lamp for $71."


@pytest.mark.parametrize(
    ("answer", "holds", "counted"),
    [
        (BranchOutput(holds=Holds.TRUE, observed="2 reviews", quote="It has 2 reviews"), Holds.TRUE, {"dear"}),
        (BranchOutput(holds=Holds.FALSE, observed="2", quote="has 2 reviews"), Holds.FALSE, {"still"}),
        (
            BranchOutput(holds=Holds.TRUE, observed="2 reviews", quote="It had 2 reviews"),
            Holds.NOT_ADDRESSED,
            set[str](),
        ),
        (BranchOutput(holds=Holds.TRUE, observed="two", quote="It has 2 reviews"), Holds.NOT_ADDRESSED, set[str]()),
        (BranchOutput(holds=Holds.TRUE, quote="It has 2 reviews"), Holds.NOT_ADDRESSED, set[str]()),
        (BranchOutput(holds=Holds.NOT_ADDRESSED), Holds.NOT_ADDRESSED, set[str]()),
    ],
)
async def test_an_outcome_is_taken_only_from_an_observation_that_the_message_quotes(
    answer: BranchOutput, holds: Holds, counted: set[str], tmp_path: Path
) -> None:
    episode = shopping(tmp_path, conditional(), message=MESSAGE)
    episode.deliver(1)
    out = await judged(episode.record(), script(answer), tmp_path)
    (resolved,) = out.of(BranchResolved)
    assert resolved.holds is holds
    found = verdicts(out)
    assert found["cheap"] == (False, None, Why.REPLACED)
    if holds is Holds.NOT_ADDRESSED:
        assert found["still"] == found["dear"] == (True, False, Why.NOT_ADDRESSED)
        assert (out.ended.counting, out.ended.score) == (2, 0.0)
    else:
        assert {name for name, (counts, *_) in found.items() if counts} == counted
        assert out.ended.score == 1.0
        (asked,) = out.model.asked("claim_generator")
        assert holds.value in asked.condition


async def test_the_resolver_is_told_the_threshold_and_the_day(tmp_path: Path) -> None:
    episode = shopping(tmp_path, conditional().model_copy(update={"execution_date": date(2026, 3, 1)}), message=MESSAGE)
    episode.deliver(1)
    out = await judged(episode.record(), script(BranchOutput(holds=Holds.NOT_ADDRESSED)), tmp_path)
    (asked,) = out.model.asked("branch_resolver")
    assert isinstance(asked, BranchInput)
    assert (asked.threshold, asked.inclusive, asked.day) == (3, False, date(2026, 3, 1))
    prompt = next(request for request in out.model.requests if request.role == "branch_resolver")
    assert "2026-03-01" in prompt.user
    assert "a value equal to it does not meet the condition" in prompt.system


async def test_a_condition_that_nobody_heard_of_is_not_asked_about(tmp_path: Path) -> None:
    out = await judged(shopping(tmp_path, conditional()).record(), script(), tmp_path)
    assert verdicts(out)["dear"] == (True, False, Why.UNDELIVERED)
    assert out.model.requests == []


async def test_a_resolver_of_no_use_leaves_its_branches_undecided(tmp_path: Path) -> None:
    episode = shopping(tmp_path, conditional(), message=MESSAGE)
    episode.deliver(1)
    out = await judged(episode.record(), {**script(), "branch_resolver": lambda x: "probably true"}, tmp_path)
    assert verdicts(out)["dear"] == (True, None, Why.UNDECIDED)
    assert out.ended.score is None


# ---- claims --------------------------------------------------------------------------------------------------------


async def test_claims_of_the_task_itself_need_no_generator(tmp_path: Path) -> None:
    own = constraint(claims=(TaskClaim(kind="simple", subject="lamp", assertion="A price is stated."),))
    out = await judged(shopping(tmp_path, task(own)).record(), script(), tmp_path)
    assert out.of(ClaimsMade)[0].source == "task"
    assert [x.assertion for x in out.model.asked("simple_claim_verifier")] == ["A price is stated."]


async def test_the_generator_sees_what_else_is_in_force_and_nothing_that_is_not(tmp_path: Path) -> None:
    episode = shopping(
        tmp_path, conditional().model_copy(update={"constraints": (*conditional().constraints, constraint())})
    )
    episode.deliver(1)
    branch = BranchOutput(holds=Holds.TRUE, observed="$20", quote="costs $20")
    out = await judged(episode.record(), script(branch), tmp_path)
    siblings = {x.text: x.siblings for x in out.model.asked("claim_generator")}
    told = "The message states the lamp's price."
    assert siblings == {"It costs under $80.": (told,), told: ("It costs under $80.",)}
    first = next(request for request in out.model.requests if request.role == "claim_generator")
    assert f"Other requirements, for reference only:\n- {told}\n" in first.user


async def test_a_condition_is_told_in_whole_sentences(tmp_path: Path) -> None:
    of = conditional()
    (change,) = of.revisions
    bare = Condition(id="few", text="the lamp has fewer than 3 reviews")
    of = of.model_copy(update={"revisions": (change.model_copy(update={"condition": bare}),)})
    episode = shopping(tmp_path, of, message=MESSAGE)
    episode.deliver(1)
    branch = BranchOutput(holds=Holds.TRUE, observed="2 reviews", quote="It has 2 reviews")
    out = await judged(episode.record(), script(branch), tmp_path)
    (asked,) = out.model.asked("claim_generator")
    assert asked.condition == "the lamp has fewer than 3 reviews. As the agent reports, this is true."


async def test_the_generator_is_told_the_day_and_the_parts_of_the_answer(tmp_path: Path) -> None:
    record = shopping(tmp_path, message="Lamps:\n1. Arbor\n\nChairs:\n1. Oak").record()
    out = await judged(record, script(), tmp_path)
    (asked,) = out.model.asked("claim_generator")
    assert asked.sections == ("Lamps:\n1. Arbor", "Chairs:\n1. Oak")
    assert asked.day == date(2026, 5, 28)
    assert "Part 2:\n> Chairs:\n> 1. Oak" in out.model.requests[0].user
