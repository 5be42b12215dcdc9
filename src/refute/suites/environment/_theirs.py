"""A pass of BrowserGym, in its own environment: each time is taken over as soon as it is measured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import BaseModel, ValidationError

from refute._errors import SiteError
from refute.arena import end_group, own_environment
from refute.suites.environment._rows import Times

LAST_WORDS = 5.0
"""Seconds for what a pass that ended has still to say."""


class _Taken(BaseModel):
    """A line of a pass: what was timed, in milliseconds; `gave_up` = a call that ended by a time-out of its own."""

    kind: Literal["reset", "step", "observation", "gave_up"]
    ms: float


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
    taken: dict[str, list[float]] = {"reset": [], "step": [], "observation": [], "gave_up": []}
    last, unfinished = clock(), None
    try:
        async with asyncio.timeout(deadline):
            async for line in process.stdout:
                found = _Taken.model_validate_json(line)
                taken[found.kind].append(found.ms)
                last = clock()
                on_line(f"{found.kind.replace('_', ' ')} {len(taken[found.kind])}: {found.ms:,.0f} ms")
            failed = await process.wait() != 0
    except TimeoutError:
        failed, unfinished = False, 1000 * (clock() - last)
        on_line(f"ended after {deadline:g} s, {unfinished:,.0f} ms into a call")
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
        unfinished=next(iter(taken["gave_up"]), unfinished),
    )


async def _rest_of(errors: asyncio.Task[bytes]) -> bytes:
    """What it said; its end may leave something behind that holds the pipe open."""
    try:
        return await asyncio.wait_for(errors, LAST_WORDS)
    except TimeoutError:
        return b""
