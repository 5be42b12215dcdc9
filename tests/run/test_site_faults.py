"""Faults of a site as a setting of a run: drawn, asked for before the first page, recorded beside the truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from refute import SiteError, UserError
from refute.arena import FaultKind, FaultNote, draw_faults
from refute.browser import Observed
from refute.goals import FaultEnded, FaultStarted, TruthStep
from refute.report import write_report
from refute.revisions import EpisodeEnded
from refute.run import RunSettings, read_run, run_suite
from refute.suites import Place, Suite
from refute.tables import read_tables
from refute.trace import read_trace

from .tiny import TinyInstance, TinySite, tiny_settings, tiny_suite

POPUP, SLOW = FaultKind.POPUP, FaultKind.SLOW_PAGE


def note(what: str, detail: str = "") -> FaultNote:
    return FaultNote.model_validate(
        {"id": 1, "what": what, "kind": "popup", "path": "/1", "detail": detail, "lasts": 1}
    )


async def serve(task: str, step: int, instance: TinyInstance) -> None:
    """A site that tells of a popup on the page after the first action, and of its end one page later."""
    told = [note("started", "a dialog covers the page"), note("ended")]
    instance.notes[:] = told[: step + 1]


async def test_faults_are_drawn_for_each_episode_and_told_of_in_trace_and_report(tmp_path: Path) -> None:
    site = TinySite(at=serve)
    settings = tiny_settings(faults=(SLOW, POPUP), seed=7)
    result = await run_suite(tiny_suite(1, site), settings, tmp_path, repeats=2)
    (instance,) = site.launched
    assert instance.asked == [draw_faults(settings.faults, seed=seed, task="look-0") for seed in (7000, 7001)]
    trace = read_trace(result.folder / "look-0" / "0")
    (started,), (ended,) = trace.of(FaultStarted), trace.of(FaultEnded)
    assert (started.fault, started.scope, started.step, ended.step) == ("popup", "execution", 1, 2)
    kinds = [type(event) for event in trace.events if event.step == 1]
    assert kinds.index(Observed) < kinds.index(FaultStarted) < kinds.index(TruthStep)
    assert read_run(result.folder).faults == (SLOW, POPUP)
    rows = read_tables(tmp_path).faults
    assert [(row.fault, row.started, row.ended) for row in rows] == [("popup", 1, 2)] * 2
    assert "under faults: slow page, popup" in write_report(tmp_path).read_text()
    page = (result.folder / "look-0" / "0" / "index.html").read_text()
    assert "Faults of the site" in page
    assert "a dialog covers the page" in page
    assert "truth: faults of the site" in page


async def test_a_run_without_faults_asks_for_none(tmp_path: Path) -> None:
    site = TinySite()
    await run_suite(tiny_suite(1, site), tiny_settings(), tmp_path)
    assert site.launched[0].asked == []


def test_kinds_are_one_setting_whatever_their_order() -> None:
    assert tiny_settings(faults=(POPUP, SLOW, POPUP)) == tiny_settings(faults=(SLOW, POPUP))


async def test_other_faults_are_refused_in_the_folder_of_a_run(tmp_path: Path) -> None:
    suite = tiny_suite(1, TinySite())
    await run_suite(suite, tiny_settings(faults=(POPUP,)), tmp_path)
    with pytest.raises(UserError, match="faults"):
        await run_suite(suite, tiny_settings(), tmp_path)


async def test_a_suite_that_serves_no_faults_says_so_before_anything_is_written(tmp_path: Path) -> None:
    async def launch() -> Place:
        raise AssertionError("nothing is to be started")

    suite = Suite(name="miniwob", tasks=(), launch=launch)
    settings = RunSettings(suite="miniwob", agent="react", model="simulated", faults=(POPUP,))
    with pytest.raises(UserError, match="miniwob serves no faults"):
        await run_suite(suite, settings, tmp_path / "out")
    assert not (tmp_path / "out").exists()


async def test_a_site_that_cannot_serve_them_makes_a_harness_error(tmp_path: Path) -> None:
    site = TinySite()
    suite = tiny_suite(1, site)

    async def fail(task: str, step: int, instance: TinyInstance) -> None:
        def broken() -> tuple[FaultNote, ...]:
            raise SiteError("the shop cannot serve the faults that it was asked for: damaged")

        instance.fault_log = broken

    site.at = fail
    result = await run_suite(suite, tiny_settings(faults=(POPUP,)), tmp_path)
    (end,) = read_trace(result.folder / "look-0" / "0").of(EpisodeEnded)
    assert (end.ending, "cannot serve the faults" in end.message) == ("harness_error", True)
