"""The mistakes that are being made: recorded when they start and when they end. Agents never see this."""

from __future__ import annotations

from dataclasses import dataclass

from refute.goals import MistakeEnded, MistakeStarted
from refute.trace import Recorder

WRONG_ELEMENT = "wrong_element"
WRONG_BRANCH = "wrong_branch"
STALE = "stale_procedure"
CONTAMINATED = "contaminated_results"
FORGOTTEN = "forgotten_constraint"
IGNORED = "ignored_revision"
PREMATURE = "premature_done"
MISREAD = "misread_page"
UNPARSABLE = "unparsable"

SCOPES = {
    WRONG_ELEMENT: "execution",
    WRONG_BRANCH: "execution",
    STALE: "skill",
    CONTAMINATED: "planning",
    FORGOTTEN: "planning",
    IGNORED: "planning",
    PREMATURE: "planning",
    MISREAD: "execution",
    UNPARSABLE: "",
}
"""What a mistake of each kind puts in question."""


@dataclass(kw_only=True)
class Mistake:
    """A mistake that goes on. `about` is what it is about: a sentence, a revision's number, a constraint's id."""

    id: int
    kind: str
    detail: str
    about: str = ""
    key: str = ""
    """The executor's input when it began; another input ends it."""
    where: str = ""
    """Address of the page on which it began."""
    age: int = 0

    @property
    def scope(self) -> str:
        """execution, skill, planning, or empty."""
        return SCOPES[self.kind]


class Ledger:
    """All mistakes of one episode."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._count = 0
        self._active: list[Mistake] = []

    def active(self, *kinds: str) -> tuple[Mistake, ...]:
        """The mistakes that go on, oldest first; of these kinds only, where any are given."""
        return tuple(m for m in self._active if not kinds or m.kind in kinds)

    def start(self, kind: str, detail: str, *, about: str = "", key: str = "", where: str = "") -> Mistake:
        """A mistake begins."""
        self._count += 1
        mistake = Mistake(id=self._count, kind=kind, detail=detail, about=about, key=key, where=where)
        self._active.append(mistake)
        self._recorder.record(MistakeStarted(id=mistake.id, mistake=kind, scope=mistake.scope, detail=detail))
        return mistake

    def end(self, mistake: Mistake, how: str) -> None:
        """It is over: input_changed, recovered, superseded, episode_over, retried."""
        self._active.remove(mistake)
        self._recorder.record(MistakeEnded(id=mistake.id, how=how))

    def end_all(self, how: str, *kinds: str) -> None:
        """All (of these kinds) are over."""
        for mistake in self.active(*kinds):
            self.end(mistake, how)
