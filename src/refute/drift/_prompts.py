"""The planner's prompts as files, for readers who write commitments without knowing site, oracle or detector."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from string import ascii_uppercase
from typing import Literal

from refute.agents import PLANNER, Library, Memory, PlannerInput
from refute.arena import Instance, Site
from refute.browser import BrowserHost
from refute.drift._plans import ReaderPlan
from refute.drift._recording import drift_tasks
from refute.goals import Task

_SAID = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ANSWER = """\
====================================================================================================
The text above is the whole of what a planner is told. Write its reply first, from that text alone.

Then look at the list below. It is one way in which the task was done on the real site, a line a piece of work. Names
that the instructions do not tell are replaced by letters: the plan must not know them. For each of your steps, in
order, say after which line of the list it is complete (the number of the line). The numbers must not fall, and the
last one is {last}. Do not change your steps after you have seen the list.

{route}

Your whole answer is one JSON object in a file named {name}.json, by this schema:

{schema}
"""


async def reader_prompts(site: Site, split: Literal["train", "test"]) -> Mapping[str, str]:
    """What a reader gets, by task, for every task that drives are made on.

    Raises `SiteError`, `BrowserError`, `UserError` before the site was set up.
    """
    instance = await site.launch()
    try:
        async with BrowserHost(loopback_only=True) as host:
            return {task.id: await _prompt(site, instance, host, task) for task in drift_tasks(site, split)}
    finally:
        await instance.close()


async def _prompt(site: Site, instance: Instance, host: BrowserHost, task: Task) -> str:
    await instance.reset(task.seed)
    async with await host.session(
        storage_state=instance.storage_state(task.account), viewport=(task.viewport.width, task.viewport.height)
    ) as session:
        await session.goto(task.start_urls[0].replace("__SITE__", instance.origin))
        page = await session.observe()
    truth = site.truth(task, instance.world(task.account))
    truth.see(page)
    route = [p.sentence() for p in truth.plan(truth.active(()), None)][:-1]
    instruction = task.initial_instruction
    recalled = Memory(Library(skills=site.skills())).skills(instruction)
    skills = tuple(one.skill for one in recalled)
    system, user = PLANNER.render(PlannerInput(instructions=(instruction,), observation=page, skills=skills))
    answer = _ANSWER.format(
        last=len(route),
        route="\n".join(f"{n}. {line}" for n, line in enumerate(without_secrets(route, instruction), start=1)),
        name=task.id,
        schema=json.dumps(ReaderPlan.model_json_schema(), indent=1),
    )
    return f"{system}\n\n{user}\n\n{answer}"


def without_secrets(route: list[str], instruction: str) -> list[str]:
    """The route's sentences with a letter in the place of every quoted text that the instruction does not hold."""
    letters: dict[str, str] = {}

    def hidden(match: re.Match[str]) -> str:
        said = match[1]
        if said.casefold() in instruction.casefold():
            return match[0]
        number = len(letters)
        return f'"{letters.setdefault(said, ascii_uppercase[number % 26] * (1 + number // 26))}"'

    return [_SAID.sub(hidden, line) for line in route]
