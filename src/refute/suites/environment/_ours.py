"""Times our own reset, steps and observation, and weighs episodes in one browser and in four."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import psutil

from refute.browser import BrowserHost, Click, Observation, Session
from refute.suites.environment._rows import Memory, Times
from refute.suites.miniwob import MiniwobPlace, miniwob_task

T = TypeVar("T")
TASK = miniwob_task("click-button", 0)
SMALL = (332, 214)
WIDE = (1280, 720)
CONCURRENT = 4


async def time_ours(host: BrowserHost, place: MiniwobPlace, page: str, name: str, *, repeats: int) -> Times:
    """The row `name`, whose page is at `page`; a step is a click, the observation after it, and a screenshot."""

    async def begin() -> tuple[Session, Observation]:
        session = await host.session(viewport=SMALL if name == "miniwob" else WIDE)
        if name == "miniwob":
            await place.begin(session, TASK)
        else:
            await session.goto(page)
        observation = await session.observe()
        await session.screenshot()
        return session, observation

    resets: list[float] = []
    for _ in range(repeats - 1):
        spent, (session, _) = await _timed(begin)
        resets.append(spent)
        await session.close()
    spent, (session, observation) = await _timed(begin)
    resets.append(spent)
    if name == "large":
        observed = [(await _timed(lambda: _see(session)))[0] for _ in range(repeats)]
        await session.close()
        return Times(resets=tuple(resets), observations=tuple(observed))
    steps: list[float] = []
    for _ in range(repeats):
        action = Click(target=_target(observation, name))
        spent, observation = await _timed(lambda action=action: _step(session, action))
        steps.append(spent)
    await session.close()
    return Times(resets=tuple(resets), steps=tuple(steps))


async def _see(session: Session) -> Observation:
    observation = await session.observe()
    await session.screenshot()
    return observation


async def _step(session: Session, action: Click) -> Observation:
    _, observation = await session.step(action)
    await session.screenshot()
    return observation


def _target(observation: Observation, name: str) -> int:
    roles = {"miniwob": ("textbox", "button"), "navigate": ("link",)}.get(name, ("button",))
    return next(element.id for element in observation.elements if element.role in roles)


async def _timed(call: Callable[[], Awaitable[T]]) -> tuple[float, T]:
    began = perf_counter()
    result = await call()
    return 1000 * (perf_counter() - began), result


async def weigh(program: Path, place: MiniwobPlace) -> Memory:
    """Four episodes of a MiniWoB++ page, observed once each: in one browser, then in four."""
    return Memory(one_browser=await _weigh(program, place, 1), four_browsers=await _weigh(program, place, CONCURRENT))


async def _weigh(program: Path, place: MiniwobPlace, browsers: int) -> float:
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    async with AsyncExitStack() as stack:
        running = [BrowserHost(loopback_only=True, program=program) for _ in range(browsers)]
        hosts = [await stack.enter_async_context(host) for host in running]
        for number in range(CONCURRENT):
            session = await stack.enter_async_context(await hosts[number % browsers].session(viewport=SMALL))
            await place.begin(session, TASK)
            await _see(session)
        ours = [p for p in psutil.Process().children(recursive=True) if p.pid not in before]
        return round(sum(_pss(process) for process in ours) / CONCURRENT / 2**20, 1)


def _pss(process: psutil.Process) -> int:
    try:
        if not re.search("chrom", process.name(), re.IGNORECASE):
            return 0
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0
