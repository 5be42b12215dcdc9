"""What an agent remembers of its own steps, as prompts show it."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute.agents._said import lasting, said
from refute.browser import Observation, Outcome, missing_lines

PAGES_KEPT = 5
"""Page texts that the history shows; older steps keep their action and outcome (decision 22)."""
PIVOTAL_KEPT = 3
"""Steps whose pivotal lines are shown where pages are shaped."""
_MOST_GONE = 5
"""Vanished lines that are shown of a page."""
_NEW_PAGE = 0.7
"""Share of new lines from which a page is another one: what changed on it would say nothing."""


class PageShown(StrEnum):
    """What a step shows of the page that it led to."""

    WHOLE = "whole"
    REST = "rest"
    """What the page in front does not show as well: head and menu are much the same on all pages of a site."""
    CHANGES = "changes"
    SAME = "same"
    """Nothing: it was as after the step before."""
    NOW = "now"
    """Nothing: it is the page in front."""
    PIVOTAL = "pivotal"
    """The lines that the model itself called pivotal, of the page on which it chose this action."""
    DROPPED = "dropped"
    """Nothing: the step is too old."""


class Step(BaseModel):
    """One past action. The history of actions is complete; page texts are kept for the latest few (decision 22).

    Prompts call it an action, since a step there is a step of the plan.
    """

    model_config = ConfigDict(frozen=True)

    number: int = Field(ge=1)
    action: str = Field(description="textual form, with the target's role and name")
    outcome: str = Field(default="ok", description="'ok', or what went wrong")
    url: str = Field(default="", description="where the action led")
    page: str = Field(default="", description="of the page's text after the action, what `shown` says; no numbers")
    said: tuple[str, ...] = Field(default=(), description="messages of this page and dialogs, new with this action")
    gone: tuple[str, ...] = Field(
        default=(), description="with `changes` at one address: lines that are no longer there"
    )
    shown: PageShown = PageShown.WHOLE


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
        self._pivotal: list[tuple[str, ...]] = []
        self._page: Observation | None = None

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, action: str, outcome: str, observation: Observation, *, pivotal: tuple[str, ...] = ()) -> None:
        """Remember a step: the action as it reads, how it ended, and the page that it led to.

        `pivotal`: lines of the page on which it was chosen.
        """
        self._pivotal.append(pivotal)
        step = Step(
            number=len(self._steps) + 1,
            action=action,
            outcome=outcome,
            url=observation.url,
            page=lasting(observation.text),
            said=said(observation, self._page),
        )
        self._page = observation
        self._steps.append(step)

    def note(self, text: str) -> None:
        """Remember something that the agent wrote down."""
        self._notes.append(text)

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes, oldest first."""
        return tuple(self._notes)

    def steps(self, *, after: int = 0, now: str = "") -> tuple[Step, ...]:
        """The steps with a number above `after`, oldest first; `now` is the text of the page in front.

        Only the `PAGES_KEPT` latest keep their pages. Each shows what changed on it; the first, and one that is another
        page, what the page in front does not show as well. What was said once stays with its step.
        """
        now = lasting(now)
        first = max(after, len(self._steps) - PAGES_KEPT)
        old = [step.model_copy(update={"page": "", "shown": PageShown.DROPPED}) for step in self._steps[after:first]]
        return (*old, *(self._showing(number, first, now) for number in range(first, len(self._steps))))

    def pivotal_steps(self, *, after: int = 0) -> tuple[Step, ...]:
        """The steps with a number above `after`; the `PIVOTAL_KEPT` latest show their pivotal lines, none a page."""
        recent = len(self._steps) - PIVOTAL_KEPT
        dropped = {"page": "", "shown": PageShown.DROPPED}
        steps: list[Step] = []
        for step, lines in list(zip(self._steps, self._pivotal, strict=True))[after:]:
            kept = {"page": "\n".join(lines), "shown": PageShown.PIVOTAL} if lines and step.number > recent else dropped
            steps.append(step.model_copy(update=kept))
        return tuple(steps)

    def _showing(self, index: int, first: int, now: str) -> Step:
        step = self._steps[index]
        if step.page == now:
            return step.model_copy(update={"page": "", "shown": PageShown.NOW})
        if index > first:
            before = self._steps[index - 1]
            if step.page == before.page:
                return step.model_copy(update={"page": "", "shown": PageShown.SAME})
            new = _missing(step.page, before.page)
            if len(new) <= _NEW_PAGE * len(step.page.splitlines()):
                gone = _missing(before.page, step.page)[:_MOST_GONE] if step.url == before.url else []
                changes = {"page": "\n".join(new), "gone": tuple(gone), "shown": PageShown.CHANGES}
                return step.model_copy(update=changes)
        rest = _missing(step.page, now)
        if len(rest) == len(step.page.splitlines()):
            return step
        return step.model_copy(update={"page": "\n".join(rest), "shown": PageShown.REST})


def _missing(text: str, other: str) -> list[str]:
    """The lines of `text` that are not in `other`, each as often as it is missing there."""
    lines = text.splitlines()
    places = missing_lines([line.strip() for line in lines], (line.strip() for line in other.splitlines()))
    return [lines[place] for place in places]


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
