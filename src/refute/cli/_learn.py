"""`refute learn`: finished runs into a library of skills and failure repairs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from refute._errors import UserError
from refute.agents.memory import check_library
from refute.arena import SimulatedInducer
from refute.budget import Limits
from refute.cli._options import embedder_option, json_option, no_model, optional_model_options, print_json
from refute.cli._screen import clean, counted, learn_progress
from refute.evidence import open_embedder
from refute.learn import Learned, LearnProgress, Lessons, Split, learn, nothing_to_learn, read_lessons
from refute.llm import Backend, CachedBackend, MeteredBackend, OutputMode, open_backend
from refute.run import SIMULATED

REPLIES = "replies"
"""Folder of the kept replies below the library."""


@click.command("learn")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the library.")
@optional_model_options
@click.option(
    "--split",
    type=click.Choice([split.value for split in Split]),
    default=Split.TRAIN.value,
    show_default=True,
    help="Whose tasks to learn from. What was learned from all must not be tested on them.",
)
@click.option("--tasks", multiple=True, metavar="GLOB", help="Only tasks whose id matches; may be given again.")
@embedder_option
@click.option("--max-requests", type=click.IntRange(1), metavar="N", help="Requests that this command may make.")
@click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="Tokens that they may use.")
@click.option(
    "--max-cost", type=click.FloatRange(min=0, min_open=True), metavar="USD", help="Dollars that they may cost."
)
@json_option
def learn_command(
    *,
    runs: tuple[Path, ...],
    out: Path,
    model: str | None,
    base_url: str | None,
    output_mode: str | None,
    split: str,
    tasks: tuple[str, ...],
    embedder: str,
    max_requests: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    as_json: bool,
) -> None:
    """Learn from the finished episodes below RUNS: skills from successes, failure repairs from what went wrong.

    Without --model the simulated model is asked, if all episodes are simulated. The same command continues an
    interrupted one: replies are kept, so that nothing is asked twice.
    """
    console = Console(stderr=as_json)
    lessons = read_lessons(runs, split=Split(split), tasks=tasks or None)
    if not lessons.lessons:
        raise nothing_to_learn(lessons)
    limits = Limits(requests=max_requests, tokens=max_tokens, cost=max_cost)
    backend = inducer(model, lessons, out / REPLIES, limits, base_url=base_url, output_mode=output_mode)
    with learn_progress(console) as show:
        learned = asyncio.run(_learn(lessons, out, backend, Split(split), embedder, show))
    problems = [str(problem) for problem in check_library(learned.library)]
    if as_json:
        print_json({**learned_json(learned), "library": str(out), "problems": problems})
        return
    _show(learned, out, console)
    for problem in problems:
        console.print(f"  ! {clean(problem)}", style="yellow", markup=False, highlight=False)


def inducer(
    model: str | None,
    lessons: Lessons,
    replies: Path,
    limits: Limits,
    *,
    base_url: str | None = None,
    output_mode: str | None = None,
) -> Backend:
    """The model that learning asks, within `limits`; what it says is kept in the folder `replies`.

    Raises `UserError` where none is named and the runs are real, and for limits on the simulated one.
    """
    if model == SIMULATED or (model is None and lessons.all_simulated):
        if limits != Limits():
            raise UserError("the simulated model costs nothing: leave --max-requests, --max-tokens, --max-cost out")
        return SimulatedInducer()
    if model is None:
        raise no_model()
    mode = OutputMode(output_mode) if output_mode else None
    backend = open_backend(model, base_url=base_url, mode=mode, must_be_priced=limits.cost is not None)
    return CachedBackend(MeteredBackend(backend, limits), replies, settings={"address": backend.address})


async def _learn(
    lessons: Lessons, out: Path, backend: Backend, split: Split, embedder: str, show: Callable[[LearnProgress], None]
) -> Learned:
    try:
        opened = open_embedder(embedder)
        return await learn(lessons, out, backend=backend, split=split, embedder=opened, on_progress=show)
    finally:
        await backend.close()


def learned_json(learned: Learned) -> dict[str, Any]:
    """What ``--json`` prints of a library that was made."""
    return {
        "simulated": learned.library.info.simulated,
        "model": learned.library.info.model,
        "skills": len(learned.library.skills),
        "failures": len(learned.library.failures),
        "successes": learned.successes,
        "troubles": learned.troubles,
        "skipped": dict(learned.skipped),
        "dropped": list(learned.dropped),
        "merged": learned.merged,
        "calls": learned.calls,
        "tokens": learned.tokens,
        "dollars": learned.dollars,
    }


def _show(learned: Learned, out: Path, console: Console) -> None:
    library = learned.library
    who = "by the simulated model" if library.info.model == SIMULATED else f"by {library.info.model}"
    console.print(
        f"{counted(len(library.skills), 'skill')} and {counted(len(library.failures), 'failure repair')} {who}, from "
        f"{counted(learned.successes, 'episode')} that went well and {learned.troubles} with trouble",
        markup=False,
        highlight=False,
    )
    if library.info.simulated and library.info.model != SIMULATED:
        console.print("  simulated: some of the runs are", style="yellow")
    price = f", ${learned.dollars:.4f}" if learned.dollars else ""
    cost = f"{counted(learned.calls, 'question')}, {counted(learned.tokens, 'token')}{price}"
    console.print(f"  {learned.merged} merged into others; {cost}", style="dim", highlight=False)
    for reason, number in learned.skipped.items():
        console.print(f"  {counted(number, 'episode')} left out: {reason}", style="dim", highlight=False)
    for text in learned.dropped:
        console.print(f"  dropped: {clean(text)[:300]}", style="yellow", markup=False, highlight=False)
    console.print(f"Library: {out.resolve()}", highlight=False, markup=False, soft_wrap=True)
