"""The fast tester: scores evidence and routes; it never decides (fcpagent §5.2, B.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import NamedTuple

from refute.agents._impact import Impact
from refute.agents._proposal import Proposal
from refute.agents.fcp._commitment import Commitment, Route, Scope, Stage, Terms, Tested
from refute.agents.fcp._cue import sign
from refute.agents.fcp._routing import Scores, route
from refute.agents.fcp._settings import FcpSettings
from refute.browser import Observation
from refute.evidence import ImageScorer, Label, TextScorer, Verdict

STATE = "state"
ACTION = "action"
PRECONDITION = "precondition"


class Weighed(NamedTuple):
    """The result of a test: the event to record, and the cue for the verifier, which names the statements at hand."""

    tested: Tested
    cue: str


class _Found(NamedTuple):
    """A statement and what was found about it; the empty statement stands for none. `image`: None = not scored."""

    statement: str
    verdict: Verdict
    support: float
    image: float | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        return self.verdict.lines


_NOTHING = _Found("", Verdict(label=Label.UNKNOWN, support=0.0, contradiction=0.0), 0.0)


class _Scored(NamedTuple):
    """All statements of one test, scored at once, and how long that took."""

    found: dict[str, _Found]
    pictured: bool
    milliseconds: float

    def best(self, statements: Iterable[str]) -> _Found:
        """The statement with the highest support (decision 4)."""
        return max((self.found[s] for s in statements), key=lambda f: f.support, default=_NOTHING)


def page_text(observation: Observation) -> str:
    """What a state test reads: address and title, tabs, what happened, and the page's text."""
    head = [observation.url, observation.title]
    tabs = [f"{tab.title} {tab.url}" for tab in observation.tabs if not tab.active]
    events = [event.text for event in observation.events if event.text]
    return "\n".join(part for part in (*head, *tabs, *events, observation.text) if part)


class FastTester:
    """Tests states and proposed actions against a commitment's evidence. Each result holds an event to record."""

    def __init__(self, scorer: TextScorer, settings: FcpSettings, *, image_scorer: ImageScorer | None = None) -> None:
        self._scorer = scorer
        self._image_scorer = image_scorer
        self._settings = settings
        self._quiet = 0

    @property
    def wants_picture(self) -> bool:
        """Whether a picture of the page would be scored."""
        return self._image_scorer is not None and not self._settings.slow_only

    def reset(self) -> None:
        """A slow check took place: the count of consecutive continues starts anew."""
        self._quiet = 0

    async def state(
        self,
        commitment: Commitment,
        observation: Observation,
        *,
        anomaly: str,
        claimed: bool,
        picture: bytes | None = None,
    ) -> Weighed:
        """Test a returned state.

        `anomaly` is the rule that fired, if one did. `claimed` is the executor's own word that the step is achieved:
        it asks the verifier where the scores alone would go on. `picture` shows the page, as a PNG or JPEG file.
        """
        if anomaly:
            return self._asked(STATE, commitment, f"rule: {anomaly}")
        if self._settings.slow_only:
            return self._asked(STATE, commitment, "slow only: every state is verified")
        stages = {stage: _stage(commitment, stage) for stage in (Stage.PROGRESS, Stage.COMPLETION)}
        scopes = {scope: _group(commitment, scope) for scope in Scope}
        statements = [s for part in (*stages.values(), *scopes.values()) for s in part]
        scored = await self._score(page_text(observation), statements, picture)
        progress, completion = scored.best(stages[Stage.PROGRESS]), scored.best(stages[Stage.COMPLETION])
        groups = {scope: scored.best(group) for scope, group in scopes.items()}
        worst = max(groups, key=lambda scope: groups[scope].support)
        against = groups[worst]
        scores = Scores(progress.support, completion.support, against.support)
        chosen, reason = self._routed(scores, commitment, claimed=claimed)
        tau_plus, tau_minus = self._settings.gates(commitment.confidence)
        tested = Tested(
            phase=STATE,
            number=commitment.number,
            route=chosen,
            reason=reason,
            progress=scores.progress,
            completion=scores.completion,
            falsification=scores.falsification,
            group=worst if scores.falsification > 0 else None,
            tau_plus=round(tau_plus, 6),
            tau_minus=round(tau_minus, 6),
            lines=_unique(completion.lines + progress.lines + against.lines),
            scorer=self._scorer.name,
            image_scorer=self._image_scorer.name if self._image_scorer and scored.pictured else "",
            text=_text_terms(progress, completion, against) if scored.pictured else None,
            image=_image_terms(progress, completion, against) if scored.pictured else None,
            milliseconds=scored.milliseconds,
        )
        falsifier = f"falsifier ({worst.value})" if scores.falsification > 0 else "falsifier"
        cue = (_named("completion", completion), _named("progress", progress), _named(falsifier, against))
        return Weighed(tested, "; ".join((reason, *cue)))

    async def action(
        self, commitment: Commitment, proposal: Proposal, *, premature: bool, impact: Impact = Impact.ACTS
    ) -> Weighed:
        """Test a proposed action on its own words: the command, its target and the executor's reasoning.

        Risk = 0.7 overlap with falsifiers that can be judged before the action + 0.3 (1 - alignment with the subgoal
        and its progress evidence), from 0.5 on it is verified (decision 5). The subgoal is left out of the words that
        are scored, since they would then align with themselves; so is the picture, which shows no action. What only
        reads is no risk for lack of alignment, and what lasts starts from a base risk: the rest fills what is left up
        to 1. `premature` marks a report that ends the work while steps are open: it is always verified.
        """
        if premature:
            return self._asked(ACTION, commitment, "rule: the work would end while steps are open", proposal.text)
        if self._settings.slow_only:
            return self._asked(ACTION, commitment, "slow only: every high-impact action is verified", proposal.text)
        before = tuple(f.statement for f in commitment.falsifying if f.before_action)
        aims = (commitment.subgoal, *_stage(commitment, Stage.PROGRESS))
        scored = await self._score(f"{proposal.words}\n{proposal.reasoning}", (*before, *aims))
        overlap, aligned = scored.best(before), scored.best(aims)
        settings = self._settings
        risk = settings.overlap_weight * overlap.support
        if impact is not Impact.READS:
            risk += settings.alignment_weight * (1 - aligned.support)
        if impact is Impact.LASTS:
            risk = settings.lasting_risk + (1 - settings.lasting_risk) * risk
        risky = risk >= settings.risk
        tested = Tested(
            phase=ACTION,
            number=commitment.number,
            route=Route.VERIFY if risky else Route.CONTINUE,
            reason="the action's risk is high" if risky else "the action's risk is low",
            progress=aligned.support,
            falsification=overlap.support,
            risk=round(risk, 6),
            action=proposal.text,
            lines=overlap.lines if risky else (),
            scorer=self._scorer.name,
            milliseconds=scored.milliseconds,
        )
        cue = (_named("falsifier", overlap), _named("fit with the step", aligned))
        return Weighed(tested, "; ".join((tested.reason, *cue)))

    async def preconditions(self, commitment: Commitment, observation: Observation) -> Weighed | None:
        """Test whether a commitment can start here; None when it names no precondition. Contradicted → verify.

        A picture is not asked: it can fit a statement well or badly, but contradict none.
        """
        statements = _stage(commitment, Stage.PRECONDITION)
        if not statements:
            return None
        scored = await self._score(page_text(observation), statements)
        found = list(scored.found.values())
        worst = max(found, key=lambda f: (f.verdict.label is Label.CONTRADICTED, f.verdict.contradiction))
        contradicted = worst.verdict.label is Label.CONTRADICTED
        tested = Tested(
            phase=PRECONDITION,
            number=commitment.number,
            route=Route.VERIFY if contradicted else Route.CONTINUE,
            reason="a precondition is contradicted" if contradicted else "no precondition is contradicted",
            progress=max(f.support for f in found),
            falsification=worst.verdict.contradiction,
            lines=worst.lines if contradicted else (),
            scorer=self._scorer.name,
            milliseconds=scored.milliseconds,
        )
        verdict = worst.verdict
        against = sign("against it", worst.statement, verdict.contradiction, verdict.lines) if contradicted else ""
        return Weighed(tested, "; ".join(part for part in (tested.reason, against) if part))

    def _routed(self, scores: Scores, commitment: Commitment, *, claimed: bool) -> tuple[Route, str]:
        """Equation 6, the executor's claim, and the check that is forced after several quiet states (decision 1)."""
        chosen, reason = route(scores, confidence=commitment.confidence, settings=self._settings)
        if chosen is not Route.CONTINUE:
            return chosen, reason
        if claimed:
            return Route.VERIFY, "the executor says that the step is achieved"
        self._quiet += 1
        if self._quiet > self._settings.max_consecutive_continue:
            return Route.VERIFY, "periodic check after several quiet states"
        return chosen, reason

    def _asked(self, phase: str, commitment: Commitment, reason: str, action: str = "") -> Weighed:
        tested = Tested(phase=phase, number=commitment.number, route=Route.VERIFY, reason=reason, action=action)
        return Weighed(tested, reason)

    async def _score(self, text: str, statements: Sequence[str], picture: bytes | None = None) -> _Scored:
        """Equation 5 for each statement; without a picture the text term stands as it is (decision 3)."""
        asked = tuple(dict.fromkeys(statements))
        begun = perf_counter()
        verdicts = await self._scorer.score(text, asked) if asked else ()
        fits: tuple[float, ...] | None = None
        if asked and picture is not None and self._image_scorer is not None:
            fits = await self._image_scorer.score(picture, asked)
        took = round(1000 * (perf_counter() - begun), 3)
        if fits is None:
            return _Scored({s: _Found(s, v, v.support) for s, v in zip(asked, verdicts, strict=True)}, False, took)
        weight = self._settings.text_weight
        return _Scored(
            {
                s: _Found(s, v, round(weight * v.support + (1 - weight) * fit, 6), fit)
                for s, v, fit in zip(asked, verdicts, fits, strict=True)
            },
            True,
            took,
        )


def _stage(commitment: Commitment, stage: Stage) -> tuple[str, ...]:
    return tuple(c.statement for c in commitment.confirming if c.stage is stage)


def _group(commitment: Commitment, scope: Scope) -> tuple[str, ...]:
    """The falsifiers of one scope that a page can show; the others are judged by an action's own words."""
    return tuple(f.statement for f in commitment.falsifying if f.scope is scope and not f.before_action)


def _text_terms(progress: _Found, completion: _Found, against: _Found) -> Terms:
    parts = (progress.verdict.support, completion.verdict.support, against.verdict.support)
    return Terms(progress=parts[0], completion=parts[1], falsification=parts[2])


def _image_terms(progress: _Found, completion: _Found, against: _Found) -> Terms:
    return Terms(progress=progress.image or 0.0, completion=completion.image or 0.0, falsification=against.image or 0.0)


def _named(what: str, found: _Found) -> str:
    return sign(what, found.statement, found.support, found.lines)


def _unique(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lines))
