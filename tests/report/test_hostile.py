"""Whatever a page, a model or a file says stays text in the report: no element, no script, no request comes of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.async_api import Browser, Page

import refute.agents.fcp._commitment as fcp
from refute.browser import Acted, Cause, Done, Fill, Observed, Outcome, PageEvent
from refute.goals import (
    Constraint,
    Finding,
    Goal,
    Milestone,
    MistakeStarted,
    RevisionKind,
    Task,
    TaskRevision,
    TruthVerdict,
)
from refute.llm import ModelCalled
from refute.report import write_report
from refute.revisions import (
    Delivered,
    Ending,
    EpisodeEnded,
    EpisodeStarted,
    GoalSet,
    Intercepted,
    Strategy,
    TriggerAsked,
    TriggerMode,
)
from refute.trace import EVENTS, Recorder

from .screen import listen
from .stories import write_lamp, write_mug

HOSTILE = (
    '</title></style></svg></textarea>--><script>window.hacked = 1</script>"><img src=x onerror="window.hacked = 1">'
    "'><svg onload='window.hacked=1'><a href=\"javascript:window.hacked=1\">{{ 7 * 191 }}{% for x in y %}"
    "<style>*{display:none}</style><iframe src='https://example.org/'></iframe>\u202e\x00]]>"
)
TAME = "plain words of about the same sort"


def write_words(out: Path, words: str, *, picture: str | None = None) -> Path:
    """An episode in which every text that a page, a model or a file could supply is `words`."""
    folder = out / "run" / "task" / "0"
    task = Task(
        id="task",
        template=words,
        category=words,
        start_urls=(words,),
        initial_instruction=words,
        static_instruction=words,
        revisions=(TaskRevision(text=words, kind=RevisionKind.ADDITIVE, milestone=Milestone(text=words)),) * 2,
        constraints=tuple(Constraint(id=f"c{n}", text=words, bound_to=n) for n in range(3)),
    )
    commitment = fcp.Commitment(
        number=1,
        subgoal=words,
        skill=words,
        confirming=(fcp.Confirmation(stage=fcp.Stage.PROGRESS, statement=words),),
        falsifying=(fcp.Falsifier(scope=fcp.Scope.SKILL, statement=words),),
    )
    why = fcp.Diagnosis(scope=fcp.Scope.SKILL, falsified=words, pattern=words, lines=(words,))
    with Recorder(folder, now=iter(float(n) for n in range(1000)).__next__) as recorder:
        record: Any = recorder.record
        record(EpisodeStarted(run_id=words, task=task, repeat=0, agent=words, model=words, simulated=True, seed=1))
        record(GoalSet(goal=Goal(instructions=(words,))))
        record(fcp.Planned(reason=words, goal_version=0, commitments=(commitment,), active=1, note=words))
        recorder.step = 1
        record(MistakeStarted(id=1, mistake=words, scope=words, detail=words))
        outcome = Outcome(ok=False, cause=Cause.COVERED, detail=words, hint=words)
        record(Acted(action=Fill(target=1, text=words), text=words, target=words, outcome=outcome))
        record(
            Observed(url=words, title=words, text=words, picture=picture, events=(PageEvent(type=words, text=words),))
        )
        record(fcp.Tested(phase="state", number=1, route="risk", reason=words, action=words, lines=(words,)))  # pyright: ignore[reportArgumentType]
        record(fcp.Tested(phase="action", number=1, route="verify", reason=words, risk=0.4, action=words))  # pyright: ignore[reportArgumentType]
        record(fcp.Verified(phase="action", number=1, route="risk", decision="repair", diagnosis=why, action=words))  # pyright: ignore[reportArgumentType]
        record(fcp.Repaired(number=1, scope=fcp.Scope.SKILL, guidance=words, diagnosis=why, rejected_action=words))
        record(fcp.CommitmentStatus(number=1, status=fcp.Status.FALSIFIED, summary=words))
        record(TriggerAsked(revision=1, fired=True, confidence=0.9, evidence=words))
        record(Delivered(revision=1, text=words, mode=TriggerMode.MILESTONE, strategy=Strategy.APPEND, digest=words))
        record(Intercepted(message=words))
        record(ModelCalled(role=words, model=words, ok=False, error=words, reply=words))
        record(Acted(action=Done(message=words), text=words))
        found = {c.id: Finding(satisfied=True, evidence=words) for c in task.constraints}
        record(TruthVerdict(findings=found, damage=(words,)))
        record(EpisodeEnded(ending=Ending.DONE, message=words))
    broken = out / "run" / "broken" / "0"
    with Recorder(broken) as recorder:
        recorder.record(EpisodeEnded(ending=Ending.HARNESS_ERROR, message=words))
    return folder


async def tags(page: Page, path: Path) -> Counter[str]:
    await page.goto(path.as_uri())
    return Counter(await page.evaluate("[...document.querySelectorAll('*')].map(e => e.tagName)"))


async def test_a_script_that_was_not_escaped_would_still_not_run(chromium: Browser, tmp_path: Path) -> None:
    write_words(tmp_path, TAME)
    index = write_report(tmp_path)
    html = index.read_text(encoding="utf-8")
    index.write_text(
        html.replace("</main>", '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1"></main>')
    )
    page = await chromium.new_page()
    await page.goto(index.as_uri())
    assert await page.evaluate("window.hacked") is None
    assert await page.evaluate("document.documentElement.classList.contains('js')")
    await page.close()


@pytest.mark.parametrize("name", ["index.html", "run/task/0/index.html", "run/broken/0/index.html"])
async def test_hostile_words_stay_words(chromium: Browser, tmp_path: Path, name: str) -> None:
    for folder, words in (("tame", TAME), ("hostile", HOSTILE)):
        write_words(tmp_path / folder, words)
        write_report(tmp_path / folder)
    page = await chromium.new_page()
    requested, said = listen(page)
    tame = await tags(page, tmp_path / "tame" / name)
    hostile = await tags(page, tmp_path / "hostile" / name)
    assert hostile == tame
    assert await page.evaluate("window.hacked") is None
    assert (
        await page.evaluate(
            "[...document.querySelectorAll('*')].some(e => e.getAttributeNames().some(n => n.startsWith('on')))"
        )
        is False
    )
    assert {url.partition(":")[0] for url in requested} <= {"file", "data"}
    assert said == []
    text = await page.inner_text("body")
    assert "1337" not in text
    assert "onload='window.hacked=1'" in text
    await page.close()


@pytest.mark.parametrize(
    "picture",
    [
        "https://example.org/shots/a.jpg",
        "//example.org/shots/a.jpg",
        "javascript:window.hacked=1",
        "../../../../secret.jpg",
        "shots/../../../../secret.jpg",
        'shots/a.jpg" onerror="window.hacked=1',
        "data:image/svg+xml,<svg onload='window.hacked=1'/>",
        "file:///etc/hostname",
    ],
)
async def test_a_trace_cannot_name_a_picture_elsewhere(chromium: Browser, tmp_path: Path, picture: str) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    folder = write_words(tmp_path, TAME, picture=picture)
    write_report(tmp_path)
    page = await chromium.new_page()
    await page.goto((folder / "index.html").as_uri())
    assert await page.locator("img").count() == 0
    await page.close()


def with_numbers(value: Any, number: str) -> Any:
    """A decoded line with every number but the schema's version replaced by a mark for `number`."""
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value)
        return {k: v if k == "v" else with_numbers(v, number) for k, v in fields.items()}
    if isinstance(value, list):
        return [with_numbers(v, number) for v in cast(list[Any], value)]
    return number if isinstance(value, int | float) and not isinstance(value, bool) else value


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e308", "0", "-1", "9" * 30, "9" * 400, "0.5"])
@pytest.mark.parametrize("kinds", ["all", "one"])
def test_no_number_stops_the_report(tmp_path: Path, number: str, kinds: str) -> None:
    folders = [write_lamp(tmp_path), write_mug(tmp_path)]
    for folder in folders:
        path = folder / EVENTS
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        for n, line in enumerate(lines):
            # All at once is refused by the schema of an early event; one kind at a time goes further.
            if kinds == "all" or line["kind"] in ("tested", "truth_step", "episode_ended", "model_called"):
                lines[n] = with_numbers(line, "\0")
        text = "\n".join(json.dumps(line, ensure_ascii=False).replace('"\\u0000"', number) for line in lines)
        path.write_text(text + "\n")
    write_report(tmp_path)
    for folder in folders:
        html = (folder / "index.html").read_text(encoding="utf-8")
        assert "The trace cannot be read." in html or "constraints satisfied" in html
