"""`refute doctor`: what a run needs, what of it is here, and the command that mends what is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import groupby

import click
from rich.console import Console
from rich.text import Text

from refute._errors import RefuteError, UserError
from refute._readiness import Readiness, State
from refute.arena import sites_readiness
from refute.browser import browser_readiness
from refute.cli._machine import machine_readiness
from refute.cli._options import json_option, print_json
from refute.cli._screen import clean, counted
from refute.llm import models_readiness
from refute.run import suites_readiness

DEADLINE = 240.0
"""Seconds that one room may take to look."""

Look = Callable[[], Awaitable[Sequence[Readiness]]]

_MARKS = {State.READY: ("✓", "green"), State.OPTIONAL: ("!", "yellow"), State.MISSING: ("✗", "red")}


@click.command()
@click.option("--model", metavar="M", help="Also see whether this model can be used.")
@click.option("--base-url", metavar="URL", help="Address of a gateway or a server of your own.")
@click.option("--probe", is_flag=True, help="Send --model one tiny request (costs a few tokens).")
@json_option
def doctor(*, model: str | None, base_url: str | None, probe: bool, as_json: bool) -> None:
    """Say what a run needs, what of it is here, and the command that mends what is not.

    \b
    Exit codes:
      0  the bundled demo can run, and so can --model if it is given
      1  something is missing (✗); what is merely not set up (!) does not count
    """
    if probe and model is None:
        raise UserError("--probe needs to know whom to ask: give --model, and --base-url for a server of your own")
    looks: dict[str, Look] = {
        "machine": machine_readiness,
        "browser": browser_readiness,
        "sites": sites_readiness,
        "suites": suites_readiness,
        "models": partial(models_readiness, model, base_url=base_url, probe=probe),
    }
    found = asyncio.run(look(looks))
    missing = sum(one.state is State.MISSING for one in found)
    if as_json:
        print_json({"ready": not missing, "checks": [one.model_dump() for one in found]})
    else:
        _show(found, missing, Console())
    raise click.exceptions.Exit(1 if missing else 0)


async def look(looks: Mapping[str, Look]) -> list[Readiness]:
    """All rooms at once; what they found, room by room."""
    found = await asyncio.gather(*(_looked(part, room) for part, room in looks.items()))
    return [one for part in found for one in part]


async def _looked(part: str, room: Look) -> Sequence[Readiness]:
    """What a room found; a room that cannot look is itself a finding."""
    try:
        async with asyncio.timeout(DEADLINE):
            return await room()
    except TimeoutError:
        problem = f"no answer within {DEADLINE:.0f} s"
    except (RefuteError, OSError) as error:
        problem = f"{type(error).__name__}: {error}"
    return [Readiness(part=part, name=part, state=State.MISSING, detail=problem, cure="mend that, and look again")]


def _show(found: Sequence[Readiness], missing: int, console: Console) -> None:
    found = _folded(found)
    width = max(len(one.name) for one in found)
    for part, lines in groupby(found, key=lambda one: one.part):
        console.print(Text(part, style="bold"))
        for one in lines:
            mark, style = _MARKS[one.state]
            line = Text(f"  {mark} ", style=style).append(f"{one.name:<{width}}  ", style="default")
            console.print(line.append(clean(one.detail), style="default"), soft_wrap=True, highlight=False)
            for cure in one.cure.splitlines():
                console.print(Text(f"    {'':<{width}}  → {clean(cure)}", style="cyan"), soft_wrap=True)
    console.print()
    if missing:
        console.print(
            Text(f"✗ {counted(missing, 'thing')} missing; the lines with → say what to do.", style="bold red")
        )
    else:
        console.print(Text("✓ Everything that the bundled demo needs is here: refute demo", style="bold green"))


def _folded(found: Sequence[Readiness]) -> list[Readiness]:
    """Neighbours of one kind (*kind:name*) that lack the same thing are one line."""
    folded: list[Readiness] = []
    for _, group in groupby(found, key=lambda one: (one.part, one.name.partition(":")[0], one.detail, one.cure)):
        first, *others = group
        name = f"{first.name.partition(':')[0]}:…" if others else first.name
        folded.append(first.model_copy(update={"name": name}))
    return folded
