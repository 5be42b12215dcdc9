"""Learning on the real shop: run training tasks, learn, and run another task with what was learned."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from refute import UserError
from refute.agents import Planned, Retrieved
from refute.agents.memory import check_library, load_library
from refute.arena import MistakeRates, Noise, SimulatedInducer
from refute.learn import learn, read_lessons
from refute.revisions import Ending
from refute.run import RunSettings, Scaling, open_suite, read_run, run_suite
from refute.tables import read_tables
from refute.trace import read_trace

RATES = MistakeRates(wrong_element=0.1, wrong_branch=0.1)


def settings(**more: object) -> RunSettings:
    return RunSettings(
        suite="arena:shop", agent="fcp", model="simulated", rates=RATES, noise=Noise.none(), screenshots=False
    ).model_copy(update=more)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def test_what_was_learned_in_training_is_recalled_on_another_task_and_stays_as_it_is(tmp_path: Path) -> None:
    suite = open_suite("arena:shop")
    runs, folder = tmp_path / "runs", tmp_path / "library"
    await run_suite(suite.select("prepare-basket.*"), settings(), runs, workers=2)
    learned = await learn(read_lessons([runs]), folder, backend=SimulatedInducer())
    assert learned.library.skills
    assert learned.library.failures
    assert check_library(learned.library) == ()

    before = content(folder)
    frozen = suite.select("wish-list.suitcase").with_library(load_library(folder))
    result = await run_suite(frozen, settings(), tmp_path / "test")
    assert content(folder) == before
    assert [end.ending for end in result.ended] == [Ending.DONE]
    assert read_run(result.folder).library == learned.library.digest

    trace = read_trace(result.folder / "wish-list.suitcase" / "0")
    recalled = {found.name for event in trace.of(Retrieved) for found in event.found}
    names = {skill.name for skill in learned.library.skills}
    assert recalled & names
    linked = {c.skill for event in trace.of(Planned) for c in event.commitments if c.skill}
    assert linked
    assert linked <= names

    with pytest.raises(UserError, match="library"):  # another library would mix two experiments in one mean
        await run_suite(suite.select("wish-list.suitcase"), settings(), tmp_path / "test")


async def test_scaling_tests_each_library_with_and_without_failures_on_the_same_tasks(tmp_path: Path) -> None:
    suite = open_suite("arena:shop")
    few = replace(suite, tasks=tuple(t for t in suite.tasks if t.id in ("prepare-basket.pillow", "wish-list.suitcase")))
    scaling = Scaling(few, settings(), tmp_path, shares=(0, 100), repeats=1)
    assert scaling.episodes == 4
    result = await scaling.run(backend=SimulatedInducer, workers=2)
    assert result is not None
    none, whole = result.points
    assert (none.share, none.tasks, none.skills, none.failures) == (0, (), 0, 0)
    assert none.curves[0].score == none.curves[1].score  # no experience: there is no failure library to leave out
    assert whole.tasks == ("prepare-basket.pillow",)
    assert whole.skills == len(load_library(tmp_path / "library-100").skills) > 0
    assert [(curve.agent, curve.episodes) for curve in whole.curves] == [("fcp", 1), ("fcp:no-failure-library", 1)]
    assert result.simulated
    agents = {run.agent: run.folder for run in read_tables(tmp_path / "test-100").runs}
    for agent, folder in agents.items():
        searched = {e.what for e in read_trace(folder / "wish-list.suitcase" / "0").of(Retrieved)}
        assert searched == ({"skills", "failures"} if agent == "fcp" else {"skills"})

    beside = tmp_path / "test-100" / "another-run" / "wish-list.suitcase"
    shutil.copytree(agents["fcp"] / "wish-list.suitcase", beside)
    assert await scaling.run(backend=SimulatedInducer) == result, "what lies beside the curve's own runs is in no mean"
    for other in (
        Scaling(few, settings(seed=1), tmp_path, shares=(0,), repeats=1),
        Scaling(few, settings(), tmp_path, shares=(0,), repeats=2),
    ):
        with pytest.raises(UserError, match="another --out"):
            await other.run(backend=SimulatedInducer)
