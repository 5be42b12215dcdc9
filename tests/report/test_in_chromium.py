"""The pages as a browser sees them: nothing from a trace becomes an element, nothing is fetched, nothing overflows."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

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
from refute.trace import Recorder

HOSTILE = (
    '</title></style></svg></textarea>--><script>window.hacked = 1</script>"><img src=x onerror="window.hacked = 1">'
    "'><svg onload='window.hacked=1'><a href=\"javascript:window.hacked=1\">{{ 7 * 191 }}{% for x in y %}"
    "<style>*{display:none}</style><iframe src='https://example.org/'></iframe>\u202e\x00]]>"
)
TAME = "plain words of about the same sort"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    path = which("chromium") or which("google-chrome")  # Without one, Playwright's own.
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        await browser.close()


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


def pages_of(out: Path) -> list[Path]:
    return sorted(out.rglob("index.html"))


async def tags(page: Page, path: Path) -> Counter[str]:
    await page.goto(path.as_uri())
    return Counter(await page.evaluate("[...document.querySelectorAll('*')].map(e => e.tagName)"))


@pytest.mark.parametrize("name", ["index.html", "run/task/0/index.html", "run/broken/0/index.html"])
async def test_hostile_words_stay_words(chromium: Browser, tmp_path: Path, name: str) -> None:
    for folder, words in (("tame", TAME), ("hostile", HOSTILE)):
        write_words(tmp_path / folder, words)
        write_report(tmp_path / folder)
    page = await chromium.new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
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


@pytest.fixture(scope="module")
def written(demo: Path) -> Path:
    write_report(demo)
    return demo


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_page_is_wider_than_the_screen(chromium: Browser, written: Path, width: int, scheme: Any) -> None:
    page = await chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    for path in pages_of(written):
        await page.goto(path.as_uri())
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, path
        ink, paper = await page.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
        )
        dark = [sum(int(n) for n in c[4:-1].split(",")) < 384 for c in (ink, paper)]
        assert dark == ([True, False] if scheme == "light" else [False, True])
    await page.close()


async def test_pictures_show_and_wait_until_they_are_needed(chromium: Browser, written: Path) -> None:
    page = await chromium.new_page()
    await page.goto((written / "fcp/shop-lamp-017/0/index.html").as_uri())
    pictures = page.locator("img")
    assert await pictures.count() == 10
    for n in range(10):
        picture = pictures.nth(n)
        assert await picture.get_attribute("loading") == "lazy"
        await picture.scroll_into_view_if_needed()
        await page.wait_for_function("e => e.complete && e.naturalWidth > 0", arg=await picture.element_handle())
    await page.close()


async def test_the_list_can_be_filtered_and_followed_with_the_keyboard(chromium: Browser, written: Path) -> None:
    page = await chromium.new_page()
    await page.goto((written / "index.html").as_uri())
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.textContent") == "Skip to the content"
    await page.focus("#f-all")
    rows = page.locator(".list tbody tr:visible")
    assert await rows.count() == 5
    await page.keyboard.press("ArrowRight")
    assert await rows.count() == 1
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/fcp/shop-lamp-017/0/index.html")
    await page.get_by_role("link", name="All episodes").click()
    await page.wait_for_url(f"{written.as_uri()}/index.html")
    await page.close()
