"""What an agent remembers of its own steps, as prompts show it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from refute.browser import Observation, Outcome

PAGES_KEPT = 5
"""Page texts that the history shows; older steps keep their action and outcome (decision 22)."""
_DROPPED = {"page": "", "page_dropped": True}


class Step(BaseModel):
    """One past action. The history of actions is complete; page texts are kept for the latest few (decision 22).

    Prompts call it an action, since a step there is a step of the plan.
    """

    model_config = ConfigDict(frozen=True)

    number: int = Field(ge=1)
    action: str = Field(description="textual form, with the target's role and name")
    outcome: str = Field(default="ok", description="'ok', or what went wrong")
    url: str = Field(default="", description="where the action led")
    page: str = Field(default="", description="page text after the action; empty for older steps")
    page_dropped: bool = Field(default=False, description="whether `page` is empty because the step is too old")


class RejectedAction(BaseModel):
    """An action that was proposed and turned down before it ran (decision 7)."""

    model_config = ConfigDict(frozen=True)

    action: str
    reason: str


class History:
    """The steps and notes of an episode."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._notes: list[str] = []

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, action: str, outcome: str, observation: Observation) -> None:
        """Remember a step: the action as it reads, how it ended, and the page that it led to."""
        step = Step(
            number=len(self._steps) + 1, action=action, outcome=outcome, url=observation.url, page=observation.text
        )
        self._steps.append(step)

    def note(self, text: str) -> None:
        """Remember something that the agent wrote down."""
        self._notes.append(text)

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes, oldest first."""
        return tuple(self._notes)

    def steps(self, *, after: int = 0) -> tuple[Step, ...]:
        """The steps with a number above `after`, oldest first, page texts only with the `PAGES_KEPT` latest."""
        recent = len(self._steps) - PAGES_KEPT
        return tuple(step if step.number > recent else step.model_copy(update=_DROPPED) for step in self._steps[after:])


def outcome_text(outcome: Outcome, *, expects_change: bool) -> str:
    """How an action ended, in words for a prompt; 'ok' when there is nothing to say."""
    if outcome.intercepted:
        return "not accepted: the work is not over"
    if not outcome.ok:
        cause = outcome.cause.value if outcome.cause else "failed"
        return " ".join(part for part in (f"{cause}:", outcome.detail, outcome.hint) if part).rstrip(":")
    same = "ok, but the page looks the same" if expects_change and not outcome.changed else "ok"
    return f"{same} ({outcome.detail})" if outcome.detail else same


def went_well(ended: str) -> bool:
    """Whether an `outcome_text` names no trouble."""
    return ended == "ok" or ended.startswith("ok (")
