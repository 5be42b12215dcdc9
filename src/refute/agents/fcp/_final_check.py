"""Done is a claim: the agent holds it against its own reading of the instructions, with evidence of its own trace.

Decision 11. One question when a goal is taken on or changes, and one when `done` is proposed; nothing in between.
"""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

from refute.agents._protocol import Context
from refute.agents.fcp._commitment import Diagnosis, Scope
from refute.agents.fcp._evidence_kept import (
    ACTION,
    MESSAGE,
    PAGE,
    SAID,
    Source,
    Weighings,
    acts,
    cue_of,
    search,
    source_of,
    weigh,
)
from refute.agents.fcp._fast_tester import page_text
from refute.agents.fcp._final_roles import FINAL_CHECKER, INTERPRETER, Asked, FinalCheckInput, InterpreterInput
from refute.agents.fcp._requirement import (
    Checked,
    FinalChecked,
    Finding,
    Interpreted,
    Requirement,
    Result,
    Ruling,
    ShownBy,
    result_of,
)
from refute.agents.fcp._situation import Situation
from refute.browser import Done
from refute.evidence import TextScorer
from refute.goals import Goal


class Answer(NamedTuple):
    """What is to happen with a `done`: it ends the work, is objected to, or waits until something was looked for."""

    objection: Diagnosis | None = None
    advice: str = ""
    """What the executor is told to look for."""


class _Searched(NamedTuple):
    """Each requirement with what was found of it, and how long the scores took."""

    asked: tuple[tuple[Asked, Weighings], ...]
    milliseconds: float


_ENDS = Answer()
_LOOK = "Nothing yet shows whether this holds; open a page that shows it, then report what it shows:"


class FinalCheck:
    """The requirements as the agent reads them, and the pages on which its steps were confirmed.

    `may_repair` is False where verdicts are only recorded. A refutation leads to a repair once for the same violated
    requirements, and evidence that is missing is looked for once: after that `done` ends the work, with the label that
    it has earned.
    """

    def __init__(self, scorer: TextScorer, context: Context, *, may_repair: bool) -> None:
        self._scorer = scorer
        self._context = context
        self._may_repair = may_repair
        self._requirements: tuple[Requirement, ...] = ()
        self._kept: dict[int, Source] = {}
        self._answered: tuple[object, ...] = ()
        self._repaired_for: set[str] = set()
        self._looked = False

    async def read(self, goal: Goal) -> None:
        """Read the instructions anew: at the start, and after each revision."""
        answer = await self._context.model.call(INTERPRETER, InterpreterInput(instructions=goal.instructions))
        self._requirements = tuple(
            Requirement(number=number, **reading.model_dump())
            for number, reading in enumerate(answer.constraints, start=1)
        )
        self._repaired_for.clear()
        self._looked = False
        self._answered = ()
        self._context.recorder.record(Interpreted(goal_version=goal.version, constraints=self._requirements))

    def keep(self, now: Situation) -> None:
        """Keep what shows that the active step is finished: the page as it is."""
        number = now.plan.active.number
        self._kept[number] = Source(f"step {number}", page_text(now.page))

    def forget(self, number: int) -> None:
        """The finished step no longer holds: what was seen then is no evidence of how things are."""
        self._kept.pop(number, None)

    async def check(self, now: Situation, done: Done, *, repairs_left: bool) -> Answer:
        """Hold `done` against every requirement. An objection is returned even where no repair is left for it."""
        question = (done.message, now.page.digest, len(now.history))
        if question == self._answered:
            return _ENDS  # nothing was done since this very claim was checked: it would be found the same
        self._answered = question
        sources = self._sources(now, done)
        searched = await self._search(sources)
        answer = await self._context.model.call(FINAL_CHECKER, self._question(now, done, searched))
        findings = self._counted(answer.findings, sources)
        held = self._answer(findings)
        consequence = "repair" if held.objection else "look" if held.advice else "done"
        if held != _ENDS and not self._can_go_on():
            held, consequence = _ENDS, "goes_on"
        elif held.objection and not repairs_left:
            consequence = "goes_on"
        event = FinalChecked(
            result=result_of(findings),
            goal_version=now.goal.version,
            message=done.message,
            findings=findings,
            cues=tuple(cue_of(asked, verdicts) for asked, verdicts in searched.asked),
            scorer=self._scorer.name,
            milliseconds=searched.milliseconds,
            consequence=consequence,
        )
        self._context.recorder.record(event)
        return held

    def _can_go_on(self) -> bool:
        """Whether repairs are on, and the budget leaves an action before the one that ends the work."""
        budget, now = self._context.budget, self._context.clock.now()
        left = budget.limits.steps - budget.spent(now).steps
        return self._may_repair and left > 1 and budget.spent_up(now) is None

    def _sources(self, now: Situation, done: Done) -> tuple[Source, ...]:
        return (
            Source(MESSAGE, done.message),
            Source(PAGE, page_text(now.page)),
            *reversed(self._kept.values()),
            Source(SAID, "\n".join(text for step in now.history.steps() for text in step.said)),
            Source(ACTION, acts(step.action for step in now.history.steps())),
        )

    async def _search(self, sources: tuple[Source, ...]) -> _Searched:
        """Look for each requirement in the sources that may show it, with the quick scorer."""
        begun = perf_counter()
        weighed = await weigh(tuple(dict.fromkeys(r.text for r in self._requirements)), sources, self._scorer)
        took = round(1000 * (perf_counter() - begun), 3)
        asked: list[tuple[Asked, Weighings]] = []
        for requirement in self._requirements:
            verdicts = weighed[requirement.text]
            may_show = verdicts if requirement.shown_by is ShownBy.MESSAGE else verdicts[1:]
            found = search(requirement.text, may_show)
            # a statement that may not apply is "violated" by a page where it does not: no hint is better than that one
            cue = "" if requirement.condition else found.cue
            asked.append((Asked(requirement=requirement, cue=cue, exhibits=found.exhibits), may_show))
        return _Searched(tuple(asked), took)

    def _question(self, now: Situation, done: Done, searched: _Searched) -> FinalCheckInput:
        return FinalCheckInput(
            instructions=now.goal.instructions,
            message=done.message,
            asked=tuple(asked for asked, _ in searched.asked),
            observation=now.page,
            summaries=tuple(c.summary for c in now.plan.completed),
            steps=now.history.steps(),
            remaining=tuple(c.subgoal for c in now.plan.revisable),
        )

    def _counted(self, findings: tuple[Finding, ...], sources: tuple[Source, ...]) -> tuple[Checked, ...]:
        """One finding for each requirement; what is not quoted, or quoted from nowhere, is not known.

        That the report says so shows nothing of what a page has to show.
        """
        given = {finding.number: finding for finding in findings}
        counted: list[Checked] = []
        for requirement in self._requirements:
            number = requirement.number
            finding = given.get(number) or Finding(number=number, ruling=Ruling.UNKNOWN, why="no finding was given")
            claims = requirement.shown_by is ShownBy.PAGE and finding.ruling is not Ruling.VIOLATED
            source = source_of(finding.quote, sources[1:] if claims else sources, requirement)
            if finding.ruling is Ruling.DOES_NOT_APPLY and not requirement.condition:
                finding = finding.model_copy(update={"ruling": Ruling.UNKNOWN})
            if not source:
                finding = finding.model_copy(update={"ruling": Ruling.UNKNOWN})
            counted.append(Checked(**finding.model_dump(), text=requirement.text, source=source))
        return tuple(counted)

    def _answer(self, findings: tuple[Checked, ...]) -> Answer:
        result = result_of(findings)
        if result is Result.REFUTED:
            violated = [f for f in findings if f.ruling is Ruling.VIOLATED]
            about = "; ".join(f.text for f in violated)
            if about in self._repaired_for:
                return _ENDS
            self._repaired_for.add(about)
            why = " ".join(f.why for f in violated if f.why)
            pattern = f"The work was said to be done, but this does not hold: {about}. {why}".strip()
            quotes = tuple(f.quote for f in violated)
            return Answer(Diagnosis(scope=Scope.PLANNING, falsified=about, pattern=pattern, lines=quotes))
        if result is Result.UNVERIFIED and not self._looked:
            self._looked = True
            missing = "; ".join(f.text for f in findings if f.ruling is Ruling.UNKNOWN)
            return Answer(advice=f"{_LOOK} {missing}")
        return _ENDS
