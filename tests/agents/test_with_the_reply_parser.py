"""The roles behind the real model class: prompts go out, text in JSON and in fences comes back and is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refute.agents import Context, FcpAgent, FinalChecked, ReactAgent
from refute.browser import Click, Done, Outcome
from refute.budget import Budget, Limits, VirtualClock
from refute.goals import Goal
from refute.llm import ModelCalled, OutputMode, Reply, Request, RoleModel

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

PLAN = """{"commitments": [{"subgoal": "Put the mug into the basket", "skill": null, "confidence": 0.8,
"confirming": [{"stage": "completion", "statement": "The basket lists 'Red mug'"}],
"falsifying": [{"scope": "execution", "statement": "The basket lists 'Blue mug'", "before_action": false}]}]}"""
ADVANCE = '{"decision": "advance", "reason": "The basket lists it.", "diagnosis": null}'
READ = '{"constraints": [{"text": "The basket lists a red mug", "instruction": 1, "shown_by": "page"}]}'
HOLDS = '{"findings": [{"number": 1, "ruling": "met", "quote": "Red mug £4.00", "why": "It is listed."}]}'
SUMMARY = '{"summary": "One red mug for £4.00."}'


class Canned:
    """A backend that answers each role with its next text, in a JSON fence or as it is."""

    name = "canned"
    simulated = False

    def __init__(self, mode: OutputMode, **replies: list[str]) -> None:
        self.mode = mode
        self.replies = replies
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        text = self.replies[request.role].pop(0)
        return Reply(text=f"Here it is:\n```json\n{text}\n```" if text.startswith("{") else text)

    async def close(self) -> None:
        return


def context_for(stage: Scene, backend: Canned) -> Context:
    clock = VirtualClock()
    budget = Budget(Limits(), started=clock.now())
    model = RoleModel(backend, recorder=stage.recorder, budget=budget, clock=clock)
    return Context(recorder=stage.recorder, model=model, budget=budget, clock=clock)


@pytest.mark.parametrize("mode", [OutputMode.FENCED, OutputMode.PROMPTED])
async def test_a_whole_plan_runs_on_text_replies(stage: Scene, mode: OutputMode) -> None:
    fenced = mode is OutputMode.FENCED
    click = "The mug is here.\n```action\nclick('2')\n```" if fenced else '{"action": "click(\'2\')"}'
    done = "All met.\n```action\ndone('In the basket.')\n```" if fenced else '{"action": "done(\'In the basket.\')"}'
    backend = Canned(
        mode,
        interpreter=[READ],
        planner=[PLAN],
        executor=["I am not sure.", click, done],
        verifier=[ADVANCE],
        summariser=[SUMMARY],
        final_checker=[HOLDS],
    )
    agent = FcpAgent()
    await agent.start(Goal(instructions=("Buy it.",)), stage.page("# Shop"), context_for(stage, backend))

    assert await agent.act() == Click(target=2)
    await agent.observe(Outcome(), stage.page("# Basket\n| Red mug £4.00\nTotal £4.00"))
    assert await agent.act() == Done(message="In the basket.")
    calls = [(event.role, event.attempts) for event in stage.events(ModelCalled)]
    roles = ("interpreter", "planner", "executor", "verifier", "summariser", "executor", "final_checker")
    assert calls == [(role, 2 if number == 2 else 1) for number, role in enumerate(roles)]
    assert [event.result for event in stage.events(FinalChecked)] == ["verified"]
    asked = backend.requests[2]
    assert ("```action" in asked.system) is fenced
    assert "Put the mug into the basket" in asked.user


async def test_an_unknown_action_in_a_good_reply_is_told_by_the_agent(stage: Scene) -> None:
    backend = Canned(
        OutputMode.FENCED,
        executor=["```action\nswipe('2')\n```", "```action\nclick('77')\n```", "```action\nclick('2')\n```"],
    )
    agent = ReactAgent()
    await agent.start(Goal(instructions=("Buy it.",)), stage.page("# Shop"), context_for(stage, backend))

    assert await agent.act() == Click(target=2)
    assert "swipe" in backend.requests[1].user
    assert "no element 77" in backend.requests[2].user
