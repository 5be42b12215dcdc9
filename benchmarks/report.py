"""How large the report's pages are, and how fast a browser opens them.

    python benchmarks/report.py [--steps 100] [--episodes 10000] [--no-browser]

Writes made-up traces (an episode of so many steps with real screenshots, runs with so many episodes together), reads
them, makes each view, writes the report, and opens it in Chromium from files. Prints seconds, and for pages each time
as a multiple of what a blank page takes. What is read was just written: the files are in the system's cache.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path
from shutil import which
from statistics import median
from time import perf_counter

import click
from playwright.async_api import Browser, Page, async_playwright

from refute.agents import Commitment, CommitmentStatus, Planned, Proposed, Route, Status, Tested
from refute.browser import Acted, Click, Observed, Outcome
from refute.budget import Spent
from refute.goals import Constraint, Finding, Goal, Task, TruthStep, TruthVerdict
from refute.llm import ModelCalled, Usage
from refute.report import VIEWS, make_view, write_report
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted, GoalSet
from refute.run import RunSettings
from refute.tables import read_tables
from refute.trace import Recorder

ROUNDS = 5
AGENTS = ("react", "fcp", "fcp:no-repair", "fcp:no-testing")
RUNS = 20
"""Each agent with five seeds."""
VIEWS_PAGE = "views.html"
LIMIT = 2.0
"""Seconds within which a page of 100 steps is to open."""
LINES = "\n".join(f"[{n}] link 'Product {n}' under a heading, $12.{n:02}, in stock" for n in range(40))


def task(name: str) -> Task:
    """A task with four constraints and no revision."""
    text = f"Order the product that {name} is about, and tell me what it costs."
    constraints = tuple(Constraint(id=f"c{n}", text=f"part {n} is right", bound_to=0) for n in range(4))
    return Task(
        id=name,
        template="made-up",
        start_urls=("__SITE__/",),
        initial_instruction=text,
        static_instruction=text,
        constraints=constraints,
    )


def write_episode(folder: Path, name: str, *, steps: int, pictures: list[bytes]) -> None:
    """A made-up episode: every step with a page, a test, two model calls and the truth."""
    about = task(name)
    with Recorder(folder, now=iter(float(n) for n in range(10_000_000)).__next__) as recorder:
        recorder.record(
            EpisodeStarted(run_id="run", task=about, repeat=0, agent="fcp", model="simulated", simulated=True, seed=0)
        )
        recorder.record(GoalSet(goal=Goal(instructions=(about.initial_instruction,))))
        plan = tuple(Commitment(number=n, subgoal=f"do part {n}") for n in range(1, 2 + steps // 6))
        recorder.record(Planned(reason="start", goal_version=0, commitments=plan, active=1))
        for step in range(steps + 1):
            write_step(
                recorder, step, number=1 + step // 6, picture=pictures[step % len(pictures)] if pictures else None
            )
        recorder.record(TruthVerdict(findings={c.id: Finding(satisfied=True) for c in about.constraints}))
        recorder.record(
            EpisodeEnded(ending=Ending.DONE, message="It costs $12.", spent=Spent(steps=steps, tokens=9000))
        )


def write_step(recorder: Recorder, step: int, *, number: int, picture: bytes | None) -> None:
    """One step; step 0 is the page at the start."""
    usage = Usage(input_tokens=1800, output_tokens=70)
    if step:
        recorder.record(ModelCalled(role="executor", model="simulated", usage=usage, seconds=1.1, reply=LINES[:600]))
        recorder.record(Proposed(action=f"click('{step}')", target="link", reasoning="This leads on.", number=number))
        recorder.step = step
        recorder.record(Acted(action=Click(target=step), text=f"click('{step}')", target="link", outcome=Outcome()))
    name = recorder.picture(picture) if picture else None
    recorder.record(Observed(url=f"http://127.0.0.1/{step}", title=f"Page {step}", text=LINES, picture=name))
    recorder.record(TruthStep(distance=max(0, 9 - step // 10)))
    recorder.record(
        Tested(
            phase="state",
            number=number,
            route=Route.COMPLETE,
            reason="completion is strong",
            progress=0.5,
            completion=0.7,
            falsification=0.1,
            tau_plus=0.65,
            tau_minus=0.55,
        )
    )
    recorder.record(ModelCalled(role="verifier", model="simulated", usage=usage, seconds=0.9, reply=LINES[:300]))
    if step % 6 == 0:
        recorder.record(CommitmentStatus(number=number, status=Status.ACTIVE))


async def screenshots(browser: Browser, count: int) -> list[bytes]:
    """Real pictures of made-up pages, as a run would take them."""
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    taken: list[bytes] = []
    for n in range(count):
        color = f"hsl({37 * n % 360} 60% 60%)"
        items = "".join(
            f"<div style='background:{color};padding:12px'>Product {n}-{k}<br>${k}.99</div>" for k in range(24)
        )
        style = "display:grid;grid-template-columns:repeat(6,1fr);gap:14px;font:16px sans-serif"
        await page.set_content(f"<h1>Shop, page {n}</h1><p>{LINES[: 400 + n]}</p><div style='{style}'>{items}</div>")
        taken.append(await page.screenshot(type="jpeg", quality=70))
    await page.close()
    return taken


async def seconds_to_open(browser: Browser, path: Path) -> float:
    """Median seconds from the order to the loaded and painted page."""
    times: list[float] = []
    for _ in range(ROUNDS):
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        began = perf_counter()
        await page.goto(path.as_uri())
        await painted(page)
        times.append(perf_counter() - began)
        await page.close()
    return median(times)


async def painted(page: Page) -> None:
    """Wait until the browser has drawn what it has."""
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def seconds_to_sort_and_find(browser: Browser, index: Path) -> tuple[float, float]:
    """Seconds until the whole list is sorted by another column, and until it is filtered by a word."""
    page = await browser.new_page(viewport={"width": 1280, "height": 800})
    await page.goto(index.as_uri())
    began = perf_counter()
    await page.get_by_role("button", name="Steps").click()
    await painted(page)
    sorted_in = perf_counter() - began
    began = perf_counter()
    await page.get_by_label("Find").fill("task-00042")
    await painted(page)
    found_in = perf_counter() - began
    await page.close()
    return sorted_in, found_in


async def measure(out: Path, *, steps: int, episodes: int) -> bool:
    """Write, open, print. Returns whether the long page opened within the limit."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        blank = out / "blank.html"
        blank.write_text("<!doctype html><title>blank</title>")
        base = await seconds_to_open(browser, blank)
        click.echo(f"blank page                      {base:8.3f} s")

        long = out / "long" / "run" / "long" / "0"
        write_episode(long, "long", steps=steps, pictures=await screenshots(browser, steps + 1))
        write_report(out / "long")
        page = long / "index.html"
        taken = await seconds_to_open(browser, page)
        shots = [p.stat().st_size for p in (long / "shots").iterdir()]
        click.echo(f"episode of {steps} steps            {taken:8.3f} s  {taken / base:5.1f} x blank  {size(page)}")
        click.echo(f"  its pictures                  {len(shots)} x {sum(shots) / len(shots) / 1000:.0f} kB")

        write_many(out / "many", episodes)
        index = tables_and_pages(out / "many", episodes)
        opened = await seconds_to_open(browser, index)
        click.echo(
            f"index of {episodes} episodes          {opened:8.3f} s  {opened / base:5.1f} x blank  {size(index)}"
        )
        views = index.with_name(VIEWS_PAGE)
        opened = await seconds_to_open(browser, views)
        click.echo(f"all views on one page           {opened:8.3f} s  {opened / base:5.1f} x blank  {size(views)}")
        sorted_in, found_in = await seconds_to_sort_and_find(browser, index)
        click.echo(f"  sorted by another column in   {sorted_in:8.3f} s")
        click.echo(f"  searched in                   {found_in:8.3f} s")
        await browser.close()
    return taken < LIMIT


def write_many(out: Path, episodes: int) -> None:
    """Runs of several agents and seeds, each of the same tasks."""
    for n in range(episodes):
        run, name = n % RUNS, f"task-{n // RUNS:05}"
        folder = out / f"{AGENTS[run % len(AGENTS)].replace(':', '-')}-{run // len(AGENTS)}"
        if n < RUNS:
            folder.mkdir(parents=True)
            settings = RunSettings(
                suite="made-up", agent=AGENTS[run % len(AGENTS)], model="simulated", seed=run // len(AGENTS)
            )
            (folder / "run.json").write_text(settings.model_dump_json())
        write_episode(folder / name / "0", name, steps=n % 9, pictures=[])


def tables_and_pages(out: Path, episodes: int) -> Path:
    """Seconds for the tables, for each view, for all pages, for the index and for all views on one page. Returns the
    index."""
    began = perf_counter()
    tables = read_tables(out)
    read = perf_counter() - began
    click.echo(f"reading {episodes} episodes        {read:8.1f} s")
    began = perf_counter()
    read_tables(out)
    click.echo(f"  again, from what was kept     {perf_counter() - began:8.1f} s")
    all_views = 0.0
    for name in VIEWS:
        began = perf_counter()
        make_view(name, tables)
        took = perf_counter() - began
        all_views += took
        click.echo(f"  view {name:24} {took:8.2f} s")
    click.echo(f"  all views                     {all_views:8.2f} s")
    index, every = report(out)
    click.echo(f"writing the pages               {every:8.1f} s")
    _, again = report(out)
    click.echo(f"  again, with the index alone   {again:8.1f} s  {size(index)}")
    views = index.with_name(VIEWS_PAGE)
    views.unlink()
    _, with_views = report(out)
    click.echo(f"  all views on one page         {with_views - again:8.1f} s  {size(views)}")
    return index


def report(out: Path) -> tuple[Path, float]:
    """Write the pages that would not be the same again. Returns the index, and the seconds that it took."""
    began = perf_counter()
    return write_report(out), perf_counter() - began


def size(path: Path) -> str:
    """The size of a file, for a person."""
    return f"{path.stat().st_size / 1000:.0f} kB"


def main() -> None:
    """Exit code 1 when the long page took longer than the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--no-browser", action="store_true", help="only the tables, views and files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.no_browser:
            write_many(Path(folder) / "many", options.episodes)
            tables_and_pages(Path(folder) / "many", options.episodes)
            return
        quick = asyncio.run(measure(Path(folder), steps=options.steps, episodes=options.episodes))
    raise SystemExit(0 if quick else 1)


if __name__ == "__main__":
    main()
