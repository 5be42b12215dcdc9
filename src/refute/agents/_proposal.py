"""Asking the executor for an action that can be carried out, however many tries that takes (within reason)."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from refute.agents._protocol import Context
from refute.agents._shaping import name_of, pivotal_lines
from refute.agents._wording import describe, in_words, target_of
from refute.agents.fcp._roles import EXECUTOR, PIVOTAL_EXECUTOR, ExecutorInput, ExecutorOutput, PivotalOutput
from refute.browser import Action, Wait, format_action, parse_action
from refute.trace import Event

MAX_ATTEMPTS = 3
"""Replies without a usable action that are answered with the error before the agent waits a second instead."""


class Proposed(Event, kind="proposed"):
    """The executor proposed an action, or something that is none."""

    action: str = Field(description="the action's textual form; as the model wrote it when there is a problem")
    target: str = Field(default="", description="role and name of the element")
    reasoning: str = ""
    number: int | None = Field(default=None, description="the commitment that it serves")
    subgoal_done: bool = False
    problem: str = Field(default="", description="why it cannot be carried out; the executor is told and asked again")


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An action that can be carried out. `usable` is False for the harmless wait that stands in for one."""

    action: Action
    text: str
    words: str = ""
    """The action without element numbers, for text evidence."""
    reasoning: str = ""
    subgoal_done: bool = False
    pivotal: tuple[str, ...] = ()
    """Lines of a shaped page to remember."""
    usable: bool = True


async def propose(question: ExecutorInput, context: Context, *, attempts: int = MAX_ATTEMPTS) -> Proposal:
    """Ask until a reply holds an action for the page as shown; after `attempts` replies, a wait of one second.

    Every reply leaves a `Proposed` event. Raises only what `Model.call` raises.
    """
    page = question.observation
    number = question.commitment.number if question.commitment else None
    for _ in range(attempts):
        answer = await _ask(question, context)
        action, problem = _read(answer.action, question)
        element = target_of(action, page) if action else None
        event = Proposed(
            action=format_action(action) if action else answer.action,
            target=f'{element.role} "{element.name}"' if element else "",
            reasoning=answer.reasoning,
            number=number,
            subgoal_done=answer.subgoal_done,
            problem=problem,
        )
        context.recorder.record(event)
        if action is not None:
            return Proposal(
                action=action,
                text=describe(action, page),
                words=in_words(action, page),
                reasoning=answer.reasoning,
                subgoal_done=answer.subgoal_done,
                pivotal=_remembered(answer, action, question),
            )
        question = question.model_copy(update={"last_error": problem})
    wait = Wait(seconds=1)
    return Proposal(action=wait, text=format_action(wait), usable=False)


async def _ask(question: ExecutorInput, context: Context) -> ExecutorOutput:
    if question.shaped is None:
        return await context.model.call(EXECUTOR, question)
    return await context.model.call(PIVOTAL_EXECUTOR, question)


def _remembered(answer: ExecutorOutput, action: Action, question: ExecutorInput) -> tuple[str, ...]:
    """What the model called pivotal, and what it acts on."""
    if question.shaped is None or not isinstance(answer, PivotalOutput):
        return ()
    target: int | None = getattr(action, "target", None)
    return pivotal_lines(question.shaped, {*answer.pivotal, *(() if target is None else (target,))})


def _read(text: str, question: ExecutorInput) -> tuple[Action | None, str]:
    """The action, or None and what is wrong with it."""
    page = question.observation
    try:
        action = parse_action(text)
    except ValueError as error:
        return None, str(error)
    if question.offered and name_of(action) not in question.offered:
        return None, f"{name_of(action)} is not offered; choose among {', '.join(question.offered)}"
    for number in (getattr(action, "target", None), getattr(action, "to", None)):
        if number is not None and page.element(number) is None:
            text = format_action(action)
            return None, f"{text}: the page as shown has no element {number}; scroll to it or choose another"
    return action, ""
