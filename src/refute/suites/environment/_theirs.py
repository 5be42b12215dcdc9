"""A pass of BrowserGym, in its own environment: each time is taken over as soon as it is measured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from pydantic import BaseModel, ValidationError

from refute._errors import SiteError
from refute.arena import end_group, own_environment
from refute.suites.environment._rows import Call, Times, Unfinished

LAST_WORDS = 5.0
"""Seconds for what a pass that ended has still to say."""


class _Line(BaseModel):
    """A line of a pass: a call begins (no `ms`), or took so many milliseconds.

    `gave_up`: it ended by a time-out of its own.
    """

    kind: Call
    ms: float | None = None
    gave_up: bool = False


async def time_theirs(command: Sequence[str], *, deadline: float, on_line: Callable[[str], None]) -> Times:
    """Run `command`, which prints a line for every time; it is ended after `deadline` seconds, and what it took kept.

    Raises `SiteError` when it fails.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=own_environment(),
        start_new_session=True,
    )
    if process.stdout is None or process.stderr is None:
        raise SiteError("BrowserGym cannot be heard")
    clock = asyncio.get_running_loop().time
    errors = asyncio.create_task(process.stderr.read())
    taken: dict[Call, list[float]] = {"reset": [], "step": [], "observation": []}
    under_way: tuple[Call, float] | None = None
    unfinished: Unfinished | None = None
    try:
        async with asyncio.timeout(deadline):
            async for line in process.stdout:
                found = _Line.model_validate_json(line)
                under_way = (found.kind, clock()) if found.ms is None else None
                if found.ms is None:
                    continue
                if found.gave_up:
                    unfinished = Unfinished(call=found.kind, ms=found.ms)
                    on_line(f"{found.kind} given up after {found.ms:,.0f} ms")
                    continue
                taken[found.kind].append(found.ms)
                on_line(f"{found.kind} {len(taken[found.kind])}: {found.ms:,.0f} ms")
            failed = await process.wait() != 0
    except TimeoutError:
        failed, into = False, ""
        if under_way is not None:
            call, began = under_way
            unfinished = Unfinished(call=call, ms=1000 * (clock() - began))
            into = f", {unfinished.ms:,.0f} ms into a call ({call})"
        on_line(f"ended after {deadline:g} s{into}")
    except ValidationError:
        failed = True
    finally:
        end_group(process)
        said = await _rest_of(errors)
    if failed:
        tail = said.decode(errors="replace").splitlines()[-6:]
        raise SiteError("BrowserGym could not be timed; its last lines were:\n" + "\n".join(tail))
    return Times(
        resets=tuple(taken["reset"]),
        steps=tuple(taken["step"]),
        observations=tuple(taken["observation"]),
        unfinished=unfinished,
    )


async def _rest_of(errors: asyncio.Task[bytes]) -> bytes:
    """What it said; its end may leave something behind that holds the pipe open."""
    try:
        return await asyncio.wait_for(errors, LAST_WORDS)
    except TimeoutError:
        return b""
