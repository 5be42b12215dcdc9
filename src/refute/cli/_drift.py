"""`refute bench drift`: how early drift is noticed, on real pages whose drift was caused on purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

import click
from rich import box
from rich.console import Console
from rich.table import Table

from refute._errors import UserError
from refute.arena import SITES, site
from refute.cli._options import json_option, print_json, scorer_option
from refute.cli._screen import check_progress, counted
from refute.drift import (
    SIMULATED,
    WITHIN,
    DriftResult,
    Figures,
    figure,
    read_plans,
    read_times,
    reader_prompts,
    record,
    score,
)
from refute.metrics import Estimate

_FOLDER = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("drift")
@click.option("--site", "name", default="shop", show_default=True, type=click.Choice(list(SITES)), help="Where.")
@click.option("--seed", default=0, show_default=True, help="Draws tasks, onsets and mistakes.")
@click.option(
    "--split",
    default="test",
    show_default=True,
    type=click.Choice(["train", "test"]),
    help="Whose templates; tune on train, report on test.",
)
@click.option("--out", type=_FOLDER, help="Record into this folder, or go on there; default: drift-SPLIT-SEED.")
@click.option("--states", type=_FILE, help="Score this recording; nothing is recorded.")
@click.option("--drives", default=6, show_default=True, type=click.IntRange(1), help="Drives of each kind of drift.")
@click.option("--calm", default=3, show_default=True, type=click.IntRange(0), help="Undisturbed drives of each kind.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 16), help="Drives at a time.")
@scorer_option
@click.option("--plans", type=_FOLDER, help="Readers' commitments, TASK.json; default: those in the package.")
@click.option("--figure", "picture", type=_FILE, help="Write the curve as an SVG.")
@click.option("--prompts", type=_FOLDER, help="Only write the planner's prompts for readers into this folder.")
@json_option
def drift_command(
    *,
    name: str,
    seed: int,
    split: str,
    out: Path | None,
    states: Path | None,
    drives: int,
    calm: int,
    workers: int,
    scorer: str,
    plans: Path | None,
    picture: Path | None,
    prompts: Path | None,
    as_json: bool,
) -> None:
    """Record real pages on and off the track, and score the fast tester on them.

    Recorded drives are kept: the same command goes on where it stopped, and scores again from the file.
    """
    console = Console(stderr=as_json)
    half = cast("Literal['train', 'test']", split)
    if prompts is not None:
        written = write_prompts(name, half, prompts)
        console.print(f"{written} prompts in {prompts}", highlight=False, soft_wrap=True)
        return
    if states is not None and out is not None:
        raise UserError("--states scores a recording and --out makes one; choose one")
    readers = read_plans(plans)
    recording = states or _recorded(
        console,
        name,
        out or Path(f"drift-{split}-{seed}"),
        seed=seed,
        split=half,
        drives=drives,
        calm=calm,
        workers=workers,
    )
    result = asyncio.run(score(recording, readers, scorer=scorer))
    if picture is not None:
        write_text(picture, figure(result))
    if as_json:
        print_json({**result.as_json(), "recorded": [run.model_dump() for run in read_times(recording)]})
        return
    show(console, result)
    console.print(f"Recording: {recording.resolve()}", highlight=False, soft_wrap=True)


def _recorded(
    console: Console,
    name: str,
    out: Path,
    *,
    seed: int,
    split: Literal["train", "test"],
    drives: int,
    calm: int,
    workers: int,
) -> Path:
    """Record, or go on recording, with progress; tells how long each run took."""
    with check_progress(console, f"drives on {name}") as show:
        recording = asyncio.run(
            record(site(name), out, seed=seed, split=split, per_kind=drives, per_calm=calm, workers=workers, show=show)
        )
    for run in read_times(recording):
        took = f"{run.seconds / 60:.1f} minutes with {counted(run.workers, 'worker')}"
        console.print(f"  {counted(run.drives, 'drive')} recorded in {took}", style="dim", highlight=False)
    return recording


def write_prompts(name: str, split: Literal["train", "test"], out: Path) -> int:
    """Write what a reader gets of each task; how many there are. Raises `UserError` where it cannot be written."""
    texts = asyncio.run(reader_prompts(site(name), split))
    for task, text in texts.items():
        write_text(out / f"{task}.txt", text)
    return len(texts)


def write_text(path: Path, text: str) -> None:
    """Write a file, with its folder. Raises `UserError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error


# ---- tables -------------------------------------------------------------------------------------------------------


def show(console: Console, result: DriftResult) -> None:
    """The main figures; all of them are in ``--json``."""
    head = f"{result.site}, {result.split} split, seed {result.seed}, scorer {result.scorer}: {result.drives} drives"
    states = f"{result.on_track} states on track, {result.off_track} off, {result.surplus} on track left out"
    console.print(f"{head}, {result.drifts} drifts; {states}", highlight=False, soft_wrap=True)
    kinds = ", ".join(f"{kind} {result.present[kind]}/{wanted}" for kind, wanted in result.wanted.items())
    console.print(f"drives present/wanted: {kinds}", highlight=False, soft_wrap=True)
    console.print(_main(result))
    for author, routings in result.authors.items():
        f = next(iter(routings.values()))
        on, off = _percent(f.falsified_on_track.value), _percent(f.falsified_off_track.value)
        where = f"{on} of the on-track states without a rule, and on {off} of the off-track ones"
        console.print(f"falsifiers of the {author} reach their threshold on {where}", highlight=False, soft_wrap=True)
    for author, routings in result.authors.items():
        console.print(_kinds(author, routings))
    author, routings = next(iter(result.authors.items()))
    for routing, figures in routings.items():
        console.print(_verifiers(f"with a verifier: commitments of the {author}, routing {routing}", figures))
    console.print(f"{SIMULATED}. 95 % intervals from a bootstrap over drives.", style="dim", highlight=False)


def _main(result: DriftResult) -> Table:
    """A row for each author of commitments and each routing."""
    asked = ("on track asked", f"noticed ≤ {WITHIN}", "coin", "delay")
    columns = (*asked, "F1 10 %", "F1 50 %", "calls saved", "time saved")
    table = _table("simulated", "commitments", *columns)
    for author, routings in result.authors.items():
        for routing, f in routings.items():
            table.add_row(
                f"{author}\n{routing}",
                _share(f.on_track),
                _share(f.within[WITHIN]),
                "–" if f.coin is None else f"{100 * f.coin:.0f}%",
                "–" if f.delay is None else f"{f.delay:.2f}",
                _share(f.quality["0.1"].f1),
                _share(f.quality["0.5"].f1),
                _share(f.calls_avoided["0.1"]),
                _share(f.seconds_avoided["0.1"]),
            )
    return table


def _kinds(author: str, routings: Mapping[str, Figures]) -> Table:
    """A row for each kind and each scope: how many drifts are noticed in time, and how many states ask, by routing."""
    columns = [f"{name} {routing}" for routing in routings for name in (f"≤ {WITHIN}", "asked")]
    table = _table(f"commitments of the {author}", "drift", "drives", *columns, f"noticed by ({next(iter(routings))})")
    first = next(iter(routings.values()))
    rows = [*first.kinds, *first.scopes]
    for name in rows:
        groups = [{**figures.kinds, **figures.scopes}[name] for figures in routings.values()]
        shares = [_percent(estimate.value) for group in groups for estimate in (group.within, group.escalated)]
        by = ", ".join(f"{why} {n}" for why, n in groups[0].first.items())
        last = name == rows[len(first.kinds) - 1]
        table.add_row(name.replace("_", " "), str(groups[0].drives), *shares, by, end_section=last)
    return table


def _verifiers(title: str, figures: Figures) -> Table:
    """A row for each quality of a verifier; errors that persist on equal pages beside errors that do not."""
    noticed = (f"noticed ≤ {WITHIN}", "if errors persist", "delay", "false alarms/100")
    columns = ("specificity", *noticed, "F1 10 %", "F1 50 %")
    table = _table(title, "sensitivity", *columns)
    judged = figures.verified
    for one in (each for each in judged if not each.verifier.persistent):
        bound = next(each for each in judged if each.verifier == replace(one.verifier, persistent=True))
        table.add_row(
            f"{one.verifier.sensitivity:g}",
            f"{one.verifier.specificity:g}",
            _share(one.within),
            _share(bound.within),
            "–" if one.delay is None else f"{one.delay:.2f}",
            "–" if one.false_alarms.value is None else f"{one.false_alarms.value:.1f}",
            _share(one.quality["0.1"].f1),
            _share(one.quality["0.5"].f1),
        )
    return table


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, title_style="bold yellow")
    table.add_column(first)
    for column in columns:
        table.add_column(column, justify="left" if column.startswith("noticed by") else "right")
    return table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}%"


def _share(estimate: Estimate) -> str:
    """A share, and below it its interval."""
    if estimate.low is None or estimate.high is None:
        return _percent(estimate.value)
    return f"{_percent(estimate.value)}\n[dim]{100 * estimate.low:.0f}–{100 * estimate.high:.0f}[/]"
