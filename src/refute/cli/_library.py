"""`refute library`: what a library holds, whether it is sound, and how two of them differ."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from refute._errors import UserError
from refute.agents.memory import (
    FailureRepair,
    Library,
    Origin,
    Skill,
    check_library,
    diff_libraries,
    load_library,
)
from refute.cli._options import json_option, print_json
from refute.cli._screen import clean, counted

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group()
def library() -> None:
    """Look at libraries of skills and failure repairs (`refute learn` makes them)."""


@library.command("show")
@click.argument("folder", type=_FOLDER)
@click.argument("name", required=False)
@json_option
def show_command(*, folder: Path, name: str | None, as_json: bool) -> None:
    """List what the library FOLDER holds; with NAME (of a skill, or a failure's id) one record in full."""
    found = load_library(folder)
    console = Console()
    if name is not None:
        record = _named(found, name)
        if as_json:
            print_json(record.model_dump(mode="json"))
        else:
            _show_record(record, console)
        return
    if as_json:
        print_json(
            {
                **found.info.model_dump(mode="json", exclude={"v"}),
                "digest": found.digest,
                "skills": [skill.model_dump(mode="json") for skill in found.skills],
                "failures": [{"id": f.id, **f.model_dump(mode="json")} for f in found.failures],
            }
        )
        return
    _show_all(found, console)


@library.command("check")
@click.argument("folder", type=_FOLDER)
@json_option
def check_command(*, folder: Path, as_json: bool) -> None:
    """Look for what a library must not hold: references to one page, doubles, empty steps, tasks of the test split.

    Exit code 1 when something is wrong.
    """
    found = load_library(folder)
    problems = check_library(found)
    if as_json:
        print_json(
            {
                "skills": len(found.skills),
                "failures": len(found.failures),
                "problems": [{"record": p.record, "text": p.text} for p in problems],
            }
        )
    else:
        console = Console()
        for problem in problems:
            console.print(Text(f"✗ {clean(str(problem))}", style="red"), soft_wrap=True)
        if not problems:
            held = f"{counted(len(found.skills), 'skill')} and {counted(len(found.failures), 'failure repair')}"
            console.print(Text(f"✓ {held}, all sound", style="green"))
    if problems:
        raise click.exceptions.Exit(1)


@library.command("diff")
@click.argument("first", type=_FOLDER)
@click.argument("second", type=_FOLDER)
@json_option
def diff_command(*, first: Path, second: Path, as_json: bool) -> None:
    """Tell what the library SECOND holds more, less and otherwise than FIRST."""
    found = diff_libraries(load_library(first), load_library(second))
    if as_json:
        print_json({"added": found.added, "removed": found.removed, "changed": found.changed, "equal": found.equal})
        return
    console = Console()
    for mark, style, names in (
        ("+", "green", found.added),
        ("-", "red", found.removed),
        ("~", "yellow", found.changed),
    ):
        for name in names:
            console.print(Text(f"{mark} {clean(name)}", style=style), soft_wrap=True)
    if found.equal:
        console.print("no difference")


def _named(found: Library, name: str) -> Skill | FailureRepair:
    records = {s.name: s for s in found.skills} | {f.id: f for f in found.failures}
    if name not in records:
        raise UserError(f"the library has no record {name!r}; `refute library show` lists names and ids")
    return records[name]


def _show_all(found: Library, console: Console) -> None:
    name = Column("skill", overflow="fold", min_width=20)  # to be typed again, so nothing of it is cut off
    skills = Table(name, "when", "steps", "from", title="Skills", title_justify="left")
    for skill in found.skills:
        cells = (skill.name, skill.applicability, str(len(skill.steps)), _from(skill.sources))
        skills.add_row(*(Text(clean(cell)) for cell in cells))
    failures = Table("id", "what goes wrong", "mended by", "from", title="Failure repairs", title_justify="left")
    for failure in found.failures:
        cells = (failure.id, failure.pattern, failure.strategy.replace("_", " "), _from(failure.sources))
        failures.add_row(*(Text(clean(cell)) for cell in cells))
    if found.info.simulated:
        console.print("simulated: made with the simulated model", style="yellow")
    console.print(skills if found.skills else "no skills")
    console.print(failures if found.failures else "no failure repairs")


def _from(sources: tuple[Origin, ...]) -> str:
    tasks = list(dict.fromkeys(origin.task for origin in sources))
    more = f" and {len(tasks) - 2} more" if len(tasks) > 2 else ""
    return ", ".join(tasks[:2]) + more if tasks else "written by hand"


def _show_record(record: Skill | FailureRepair, console: Console) -> None:
    for label, text in _skill_rows(record) if isinstance(record, Skill) else _failure_rows(record):
        if text:
            console.print(Text.assemble((f"{label}  ", "bold"), clean(text)), soft_wrap=True)
    console.print(Text.assemble(("from  ", "bold"), clean(_all_sources(record.sources))), soft_wrap=True)


def _skill_rows(skill: Skill) -> list[tuple[str, str]]:
    steps = [(f"step {number}", step) for number, step in enumerate(skill.steps, start=1)]
    return [
        ("skill", skill.name),
        ("keywords", ", ".join(skill.keywords)),
        ("when", skill.applicability),
        *steps,
        ("worked when", skill.success),
        ("take care", skill.precautions),
    ]


def _failure_rows(failure: FailureRepair) -> list[tuple[str, str]]:
    return [
        ("task", failure.query),
        ("what goes wrong", failure.pattern),
        ("seen", failure.analysis),
        ("mended by", failure.strategy.replace("_", " ")),
        ("plan", failure.plan),
        ("lessons", failure.lessons),
    ]


def _all_sources(sources: tuple[Origin, ...]) -> str:
    return ", ".join(dict.fromkeys(origin.task for origin in sources)) or "written by hand"
