"""The terminal: texts that are safe to print, and progress while episodes run."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from refute.drift import RecordProgress
from refute.judge import JudgeProgress
from refute.learn import LearnProgress
from refute.revisions import Ending
from refute.run import CheckProgress
from refute.run import Progress as EpisodeProgress

_MARK = {
    Ending.DONE: "[green]done[/]",
    Ending.INFEASIBLE: "[yellow]gave up[/]",
    Ending.BUDGET: "[yellow]out of {limit}[/]",
    Ending.HARNESS_ERROR: "[red]harness error[/]",
}


def _bars(console: Console) -> Progress:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def check_progress(console: Console, label: str) -> Generator[Callable[[CheckProgress | RecordProgress], None]]:
    """A bar for the proofs or drives, and a line for each that is done."""
    with _bars(console) as bars:
        overall = bars.add_task(label, total=None)

        def show(state: CheckProgress | RecordProgress) -> None:
            bars.update(overall, completed=state.done, total=state.of)
            console.print(f"  {clean(state.text)}", style="dim", markup=False, highlight=False)

        yield show


@contextmanager
def learn_progress(console: Console) -> Generator[Callable[[LearnProgress], None]]:
    """A bar for the episodes that are read; on a pipe nothing."""
    with _bars(console) as bars:
        overall = bars.add_task("Learning", total=None)

        def show(state: LearnProgress) -> None:
            bars.update(overall, completed=state.done, total=state.of, description=f"Learning from {clean(state.text)}")

        yield show


@contextmanager
def progress(console: Console, total: int, *, label: str) -> Generator[Callable[[EpisodeProgress], None]]:
    """A bar for the run and a line for each episode at work. On a pipe only the finished episodes are printed."""
    with _bars(console) as bars:
        overall = bars.add_task(label, total=total)
        lines: dict[tuple[str, int], TaskID] = {}

        def show(state: EpisodeProgress) -> None:
            key = (state.task, state.repeat)
            if state.ended is None:
                if key not in lines:
                    lines[key] = bars.add_task(state.task, total=None)
                what = f"  {state.task} · {state.step} · {clean(state.text)}"[: max(20, console.width - 50)]
                bars.update(lines[key], description=what, completed=state.step)
                return
            if key in lines:
                bars.remove_task(lines.pop(key))
            bars.advance(overall)
            end = state.ended
            detail = f"{end.spent.steps} steps, {end.delivered} revision{'' if end.delivered == 1 else 's'}"
            console.print(
                f"  {_MARK[end.ending].format(limit=end.limit)}  {state.task}  [dim]{detail}[/]", highlight=False
            )
            if end.ending is Ending.HARNESS_ERROR:
                last = (end.message.strip().splitlines() or ["no more is known"])[-1]
                console.print(f"    {clean(last)[:160]}", style="red", markup=False, highlight=False)

        yield show


@contextmanager
def judge_progress(console: Console, label: str) -> Generator[Callable[[JudgeProgress], None]]:
    """A bar for the episodes that are judged, and a line for each that could not be."""
    with _bars(console) as bars:
        overall = bars.add_task(label, total=None)

        def show(state: JudgeProgress) -> None:
            bars.update(overall, completed=state.done, total=state.of)
            if state.problem:
                where = f"{state.folder.parent.name}/{state.folder.name}"
                console.print(f"  {where}: {clean(state.problem)[:200]}", style="red", markup=False, highlight=False)

        yield show


def clean(text: str) -> str:
    """A text from outside on one line, without control characters."""
    return "".join(c if c.isprintable() else "�" for c in " ".join(text.split()))


def counted(number: int, noun: str, several: str = "") -> str:
    """``1 step``, ``2 steps``; `several` for a noun that takes no s."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def spent(*, seconds: float, calls: int, tokens: int, dollars: float | None) -> str:
    """What a run has cost so far, in one line."""
    price = f" · ${dollars:.4f}" if dollars is not None else ""
    return f"{seconds:.0f} s · {counted(calls, 'model call')} · {counted(tokens, 'token')}{price}"
