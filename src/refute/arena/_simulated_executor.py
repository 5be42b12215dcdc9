"""The simulated executor: carries out the text that it was given on the page that it sees, with its own mistakes.

Nothing here knows the goal's truth. It is built without it, so that a wrong plan stays wrong until its text changes.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from refute.agents import REPORT, ExecutorInput, ExecutorOutput, RejectedAction, Step
from refute.arena._procedure import Move
from refute.arena._simulated_dice import Dice, state_of
from refute.arena._simulated_ledger import MISREAD, PREMATURE, WRONG_BRANCH, WRONG_ELEMENT, Ledger, Mistake
from refute.arena._simulated_misreading import misread
from refute.arena._simulated_settings import MistakeRates
from refute.arena._simulated_site import Hands
from refute.arena._simulated_wandering import neighbour, wander
from refute.browser import Action, Click, Done, Goto, Observation, Scroll, Wait, format_action

_ALL_DONE = "Everything that was asked for is done."


class Executor:
    """One per episode: it remembers what it was told last, in which states it has been, and its own mistakes."""

    def __init__(self, hands: Hands, dice: Dice, ledger: Ledger, rates: MistakeRates) -> None:
        self._hands = hands
        self._dice = dice
        self._ledger = ledger
        self._rates = rates
        self._occasion: tuple[str, str, int] | None = None
        self._visits: dict[str, int] = {}
        self._sentence = ""
        self._sentence_from = 0

    def answer(self, x: ExecutorInput, text: str, attempt: int) -> ExecutorOutput:
        """The next action. `text` is the step to carry out; `attempt` counts retries of the same question."""
        page, state = x.observation, state_of(x.observation)
        key = input_key(x)
        visit = self._visit(state, key, len(x.steps)) + attempt
        self._settle(key, page)
        lost = next(iter(self._ledger.active(WRONG_BRANCH)), None)
        if lost is not None and self._finds_back(lost, state):
            self._ledger.end(lost, "recovered")
            return self._proposed(self._right(x, text), x)
        right = self._right(x, text)
        if lost is None and self._dice.roll(WRONG_BRANCH, state, visit) < self._rates.wrong_branch:
            detail = f"explores instead of: {right.why}"
            lost = self._ledger.start(WRONG_BRANCH, detail, key=key, where=page.url)
        if lost is not None:
            lost.age += 1
            return self._proposed(
                Move(action=wander(page, text, right.action, self._dice, visit), why="look around"), x
            )
        claim = self._claim(x, right, key, state, visit)
        if claim is not None:
            return self._proposed(claim, x)
        if isinstance(right.action, Click):
            other = neighbour(page, right.action, self._dice, visit)
            if other and self._dice.roll(WRONG_ELEMENT, state, visit) < self._rates.wrong_element:
                return self._slip(x, right, other, key)
        return self._proposed(right, x)

    # ---- what is right -------------------------------------------------------------------------------------------

    def _right(self, x: ExecutorInput, text: str) -> Move:
        """What the text asks for on this page."""
        missing = self._hands.missing(x.skill) if x.skill else ""
        if missing:
            return Move(action=_look_around(x.observation), why=f'look for "{missing}", as the skill says')
        procedure = self._hands.read(text)
        if procedure is not None:
            return procedure.next_move(x.observation, self._steps(x, text))
        if text == REPORT:
            message = " ".join(x.summaries) or _ALL_DONE
            return Move(action=Done(message=message), why="every step is confirmed: report", completes=True)
        return Move(action=None, why="it is not clear what this step asks for")

    def _steps(self, x: ExecutorInput, text: str) -> tuple[Step, ...]:
        """The steps made for this text; an agent without a plan shows all of its steps."""
        if text != self._sentence or len(x.steps) < self._sentence_from:
            self._sentence = text
            self._sentence_from = len(x.steps) if x.commitment is None else 0
        return x.steps[self._sentence_from :]

    def _proposed(self, move: Move, x: ExecutorInput) -> ExecutorOutput:
        """The move as a reply; something harmless where there is none, or where it was already rejected."""
        action = move.action
        why = move.why
        if action is not None and _was_rejected(action, x.rejected):
            action, why = None, f"{why}: rejected before, so look at the page again"
        done = move.completes and (action is not None or move.action is None)
        return ExecutorOutput(
            reasoning=f"{why[:1].upper()}{why[1:]}.",
            action=format_action(action or _look_around(x.observation)),
            subgoal_done=done,
        )

    # ---- mistakes ------------------------------------------------------------------------------------------------

    def _slip(self, x: ExecutorInput, right: Move, other: Click, key: str) -> ExecutorOutput:
        name = next((e.name for e in x.observation.elements if e.id == other.target), "")
        self._ledger.start(WRONG_ELEMENT, f'"{name}" instead of: {right.why}', key=key, where=x.observation.url)
        return self._proposed(Move(action=other, why=right.why, completes=right.completes), x)

    def _claim(self, x: ExecutorInput, right: Move, key: str, state: str, visit: int) -> Move | None:
        """A report that is wrong: it comes too early, or one of its values was misread."""
        if isinstance(right.action, Done):
            if self._dice.roll(MISREAD, state, visit) >= self._rates.misread_page:
                return None
            told = misread(right.action.message, self._dice.roll(f"value {MISREAD}", state, visit))
            if told == right.action.message:
                return None
            self._ledger.start(MISREAD, f"reports: {told}", key=key, where=x.observation.url)
            return Move(action=Done(message=told), why=right.why, completes=right.completes)
        done = Done(message=" ".join(x.summaries) or _ALL_DONE)
        if self._dice.roll(PREMATURE, state, visit) >= self._rates.premature_done or _was_rejected(done, x.rejected):
            return None
        self._ledger.start(PREMATURE, f"instead of: {right.why}", key=key, where=x.observation.url)
        return Move(action=done, why="everything seems to be done: report", completes=True)

    def _settle(self, key: str, page: Observation) -> None:
        """End what a changed input ends, and follow the branch onto which a wrong click led.

        Whoever is asked for an action after a wrong report was not believed.
        """
        for mistake in self._ledger.active(PREMATURE, MISREAD):
            self._ledger.end(mistake, "input_changed" if mistake.key != key else "recovered")
        for mistake in self._ledger.active(WRONG_ELEMENT, WRONG_BRANCH):
            if mistake.key != key:
                self._ledger.end(mistake, "input_changed")
            elif mistake.kind == WRONG_ELEMENT and _address(page.url) != _address(mistake.where):
                self._ledger.end(mistake, "superseded")
                self._ledger.start(WRONG_BRANCH, "follows where the wrong element led", key=key, where=page.url)
            elif mistake.kind == WRONG_ELEMENT:
                self._ledger.end(mistake, "recovered")

    def _finds_back(self, lost: Mistake, state: str) -> bool:
        return lost.age > 0 and self._dice.roll(f"recover {lost.age}", state) < self._rates.recover

    def _visit(self, state: str, key: str, steps: int) -> int:
        """How many earlier occasions there were in this state; the same question twice is one occasion."""
        occasion = (state, key, steps)
        if occasion != self._occasion:
            self._occasion = occasion
            self._visits[state] = self._visits.get(state, -1) + 1
        return self._visits[state]


def input_key(x: ExecutorInput) -> str:
    """What the executor was told, without the page and the history: when it changes, a wrong branch is left."""
    told = (
        *x.instructions,
        x.commitment.subgoal if x.commitment else "",
        x.skill.name if x.skill else "",
        x.guidance,
        *(r.action for r in x.rejected),
    )
    return "\x1f".join(told)


def _look_around(page: Observation) -> Action:
    """Something harmless that shows another part of the site, so that nobody stares at the same page for ever."""
    if page.scroll_y < page.scroll_max:
        return Scroll(direction="down")
    parts = urlsplit(page.url)
    home = f"{parts.scheme}://{parts.netloc}/"
    if parts.scheme.startswith("http") and parts.path != "/" and page.scroll_y == 0:
        return Goto(url=home)
    return Scroll(direction="up") if page.scroll_y > 0 else Wait(seconds=1)


def _was_rejected(action: Action, rejected: tuple[RejectedAction, ...]) -> bool:
    text = format_action(action)
    return any(r.action == text or re.match(re.escape(text) + r"\s+on ", r.action) for r in rejected)


def _address(url: str) -> str:
    return url.partition("#")[0]
