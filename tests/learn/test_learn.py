"""Learning: which episodes teach, what becomes of drafts, and what a kill costs."""

from __future__ import annotations

import json
from pathlib import Path

import filelock
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from refute import ModelError, RunStopped, UserError
from refute.agents import Recovery, Result, Scope
from refute.agents.memory import (
    Library,
    RepairStrategy,
    Skill,
    check_library,
    load_library,
    raw_references,
    save_library,
)
from refute.arena import SimulatedInducer
from refute.budget import Limits
from refute.evidence import minilm
from refute.learn import (
    FAILURE_INDUCER,
    SKILL_INDUCER,
    FailureDraft,
    FailureInducerInput,
    FailureInducerOutput,
    SkillDraft,
    SkillInducerInput,
    SkillInducerOutput,
    Split,
    Trajectory,
    learn,
    nothing_to_learn,
    read_lessons,
)
from refute.learn._clean import Unclean, cleaned
from refute.learn._merge import merge_skills
from refute.llm import Backend, CachedBackend, MeteredBackend
from refute.revisions import Ending

from .stories import Says, repair, tell

DRAFT = SkillDraft(
    name="Put into the basket",
    keywords=("Buy", "basket", "buy"),
    applicability="A product has to be bought.",
    steps=("click('12') on button \"Add to basket\"", 'Look at [3] link "Basket"'),
    success="The basket lists it.",
)


def nothing(question: BaseModel) -> BaseModel:
    return SkillInducerOutput() if isinstance(question, SkillInducerInput) else FailureInducerOutput()


def test_the_truth_decides_what_went_well_and_the_agents_own_tests_where_there_is_none(tmp_path: Path) -> None:
    tell(tmp_path, "a.won")
    tell(tmp_path, "b.lost", won=False)
    tell(tmp_path, "c.mended", repaired=[repair("The list holds kettles.")])
    tell(tmp_path, "d.confirmed", won=None)
    tell(tmp_path, "e.claimed", won=None, verified=False)
    tell(tmp_path, "f.out_of_steps", won=None, verified=False, ending=Ending.BUDGET)
    tell(tmp_path, "i.verified", won=None, checked=Result.VERIFIED)
    tell(tmp_path, "j.refuted", won=None, checked=Result.REFUTED)
    tell(tmp_path, "k.unverified", won=None, checked=Result.UNVERIFIED)
    tell(tmp_path, "g.broken", ending=Ending.HARNESS_ERROR)
    tell(tmp_path, "h.test", split="test")
    found = read_lessons([tmp_path])
    assert {lesson.origin.task: (lesson.success, lesson.trouble) for lesson in found.lessons} == {
        "a.won": (True, False),
        "b.lost": (False, True),
        "c.mended": (True, True),
        "d.confirmed": (True, False),
        "f.out_of_steps": (False, True),
        "i.verified": (True, False),
    }
    assert found.skipped == {
        "a harness error, or unreadable": 1,
        "done, but neither truth nor the agent's tests say how well": 3,
        "not of the training split": 1,
    }
    assert "h.test" in {lesson.origin.task for lesson in read_lessons([tmp_path], split=Split.ALL).lessons}
    assert [lesson.origin.task for lesson in read_lessons([tmp_path], tasks={"b.lost"}).lessons] == ["b.lost"]


def test_the_story_holds_what_was_done_and_no_element_number(tmp_path: Path) -> None:
    tell(tmp_path, "a.won", repaired=[repair("The list holds kettles.")])
    (lesson,) = read_lessons([tmp_path]).lessons
    (part,) = lesson.trajectory.parts
    assert [(act.text, act.page) for act in part.acts] == [('click button "Add to basket"', "Basket")]
    assert (part.confirmed, part.summary, part.expected) == (True, "It lies in the basket.", ("The basket lists it",))
    for system, user in (
        SKILL_INDUCER.render(SkillInducerInput(trajectory=lesson.trajectory)),
        FAILURE_INDUCER.render(FailureInducerInput(trajectory=lesson.trajectory, failed=False)),
    ):
        assert "copied from web pages" in system
        assert raw_references(user) == ()
        assert {"> Kettles (4)", "> Done."} <= set(user.splitlines()), "the words of pages and of the report are fenced"
        assert "skills and cases of earlier work, may repeat words of a page" in system
        for text in ("Buy the mug of a.won.", "The list holds kettles.", "> Kettles (4)", "confirmed: It lies", "done"):
            assert text in user


async def test_drafts_are_cleaned_and_what_cannot_be_cleaned_is_dropped_and_told(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "a.won", repaired=[repair("x")])
    blind = DRAFT.model_copy(update={"name": "blind", "steps": ("Click at (120, 45).",)})

    def answer(question: BaseModel) -> BaseModel:
        if isinstance(question, SkillInducerInput):
            return SkillInducerOutput(skills=(DRAFT, blind))
        return FailureInducerOutput(
            cases=(FailureDraft(pattern="It was element 12.", strategy=RepairStrategy.REPLAN, plan="Plan."),)
        )

    learned = await learn(read_lessons([tmp_path / "runs"]), tmp_path / "library", backend=Says(answer))
    (skill,) = learned.library.skills
    assert skill.name == "put_into_the_basket"
    assert skill.keywords == ("buy", "basket")
    assert skill.steps == ('click on button "Add to basket"', 'Look at link "Basket"')
    assert [origin.task for origin in skill.sources] == ["a.won"]
    assert learned.library.failures == ()
    assert len(learned.dropped) == 2
    assert "skill blind: coordinates '(120, 45)' cannot be taken out" in learned.dropped[0]
    assert "element id 'element 12'" in learned.dropped[1]
    assert check_library(load_library(tmp_path / "library")) == ()


async def test_what_is_alike_becomes_one_record_with_both_sources(tmp_path: Path) -> None:
    for name in ("a.one", "b.two"):
        tell(tmp_path / "runs", name, won=False, repaired=[repair("The list holds kettles.")])
    tell(tmp_path / "runs", "c.three", won=False, repaired=[repair("The list holds kettles.", scope=Scope.PLANNING)])
    learned = await learn(read_lessons([tmp_path / "runs"]), tmp_path / "library", backend=SimulatedInducer())
    assert learned.merged == 1
    assert [(f.strategy, [o.task for o in f.sources]) for f in learned.library.failures] == [
        (RepairStrategy.LOCAL_REPAIR, ["a.one", "b.two"]),
        (RepairStrategy.REPLAN, ["c.three"]),
    ]


def test_different_skills_of_one_name_are_told_apart() -> None:
    one = Skill(name="open", applicability="A product is looked for.", steps=("Type its name into Search.",))
    two = Skill(name="open", applicability="Money has to be paid back.", steps=("Press Refund on the order.",))
    assert [skill.name for skill in merge_skills((one, two, one), minilm())] == ["open", "open_2"]


async def test_a_killed_learner_asks_nothing_twice_and_makes_the_same_library(tmp_path: Path) -> None:
    for name in ("a.one", "b.two", "c.three"):
        tell(tmp_path / "runs", name)
    lessons = read_lessons([tmp_path / "runs"])

    def tells(question: BaseModel) -> BaseModel:
        return SkillInducerOutput(skills=(DRAFT,))

    whole = await learn(lessons, tmp_path / "whole", backend=Says(tells, simulated=False))
    assert whole.calls == 3

    def dies(question: BaseModel) -> BaseModel:
        if len(dying.asked) == 3:
            raise ModelError("the provider is gone")
        return SkillInducerOutput(skills=(DRAFT,))

    dying = Says(dies, simulated=False)
    out = tmp_path / "library"
    with pytest.raises(ModelError, match="gone"):
        await learn(lessons, out, backend=CachedBackend(dying, out / "replies"))
    assert sorted(path.name for path in out.iterdir()) == ["learn.lock", "replies"]
    rest = Says(tells, simulated=False)
    learned = await learn(lessons, out, backend=CachedBackend(rest, out / "replies"))
    assert len(rest.asked) == learned.calls == 1
    assert learned.library == whole.library
    for name in ("skills.jsonl", "failures.jsonl", "library.json"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


async def test_a_limit_stops_before_the_next_question_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    for name in ("a.one", "b.two"):
        tell(tmp_path / "runs", name)
    lessons, out = read_lessons([tmp_path / "runs"]), tmp_path / "library"
    model = Says(lambda question: SkillInducerOutput(skills=(DRAFT,)), simulated=False)

    def within(limits: Limits) -> Backend:
        return CachedBackend(MeteredBackend(model, limits), out / "replies")

    with pytest.raises(RunStopped, match=r"limit of requests after 1 of 2 .* --max-requests"):
        await learn(lessons, out, backend=within(Limits(requests=1)))
    assert len(model.asked) == 1
    learned = await learn(lessons, out, backend=within(Limits(requests=1)))
    assert (len(model.asked), learned.calls) == (2, 1)


async def test_two_processes_cannot_learn_into_one_folder(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "a.one")
    (tmp_path / "library").mkdir()
    with filelock.FileLock(tmp_path / "library" / "learn.lock"), pytest.raises(UserError, match="another process"):
        await learn(read_lessons([tmp_path / "runs"]), tmp_path / "library", backend=Says(nothing))


async def test_a_model_that_gives_no_usable_reply_loses_one_episode_and_not_the_others(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "a.one")
    tell(tmp_path / "runs", "b.two")

    def answer(question: BaseModel) -> BaseModel | str:
        assert isinstance(question, SkillInducerInput)
        first = "a.one" in question.trajectory.instructions[0]
        return "let me think" if first else SkillInducerOutput(skills=(DRAFT,))

    learned = await learn(read_lessons([tmp_path / "runs"]), tmp_path / "library", backend=Says(answer))
    assert [[o.task for o in skill.sources] for skill in learned.library.skills] == [["b.two"]]
    assert "a.one" in learned.dropped[0]


async def test_a_library_written_by_hand_is_not_overwritten(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "a.one")
    save_library(Library(skills=(Skill(name="mine", steps=("Do it.",)),)), tmp_path / "library")
    before = (tmp_path / "library" / "skills.jsonl").read_bytes()
    with pytest.raises(UserError, match="was not learned here"):
        await learn(read_lessons([tmp_path / "runs"]), tmp_path / "library", backend=Says(nothing))
    assert (tmp_path / "library" / "skills.jsonl").read_bytes() == before


def test_where_nothing_teaches_the_reason_is_told(tmp_path: Path) -> None:
    tell(tmp_path, "a.test", split="test")
    lessons = read_lessons([tmp_path])
    assert lessons.lessons == ()
    assert "1 not of the training split" in str(nothing_to_learn(lessons))
    assert "--split all" in str(nothing_to_learn(lessons))


async def test_the_simulated_inducer_condenses_sentences_and_knows_nothing_else(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "a.one", repaired=[repair("Repair", recovery=Recovery.LAST_CONFIRMED)])
    learned = await learn(read_lessons([tmp_path / "runs"]), tmp_path / "library", backend=SimulatedInducer())
    (skill,) = learned.library.skills
    assert skill.name == "put_number_of_text_into_the_basket"
    assert skill.steps == ('click button "Add to basket"',)
    assert "a.one" not in skill.model_dump_json(exclude={"sources"})
    (failure,) = learned.library.failures
    assert failure.strategy is RepairStrategy.BACKTRACK
    assert failure.query == "Buy the mug of a.one."
    assert json.loads((tmp_path / "library" / "library.json").read_text())["simulated"] is True


@given(st.text())
def test_a_cleaned_text_means_something_on_every_page(text: str) -> None:
    try:
        assert raw_references(cleaned(text)) == ()
    except Unclean as error:
        assert str(error)  # noqa: PT017


def test_an_empty_story_can_be_told() -> None:
    _, user = SKILL_INDUCER.render(SkillInducerInput(trajectory=Trajectory(instructions=("Buy.",), parts=())))
    assert "1. Buy." in user
    assert "None" not in user
