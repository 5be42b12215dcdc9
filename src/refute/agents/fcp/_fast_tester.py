"""The fast tester: scores evidence and routes; it never decides (fcpagent §5.2, B.5).

No image scorer is used: the visual term of equation 5 is dropped and the text score stands as it is (decision 3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from refute.agents._proposal import Proposal
from refute.agents.fcp._commitment import Commitment, Route, Scope, Stage, Tested
from refute.agents.fcp._routing import Scores, route
from refute.agents.fcp._settings import FcpSettings, Scorer
from refute.browser import Observation
from refute.evidence import Label, Verdict

STATE = "state"
ACTION = "action"
PRECONDITION = "precondition"


class Weighed(NamedTuple):
    """The result of a test: the event to record, and the cue for the verifier, which names the statements at hand."""

    tested: Tested
    cue: str


class _Found(NamedTuple):
    """A statement and what was found about it; the empty statement stands for none."""

    statement: str
    verdict: Verdict

    @property
    def support(self) -> float:
        return self.verdict.support

    @property
    def lines(self) -> tuple[str, ...]:
        return self.verdict.lines


_NOTHING = _Found("", Verdict(label=Label.UNKNOWN, support=0.0, contradiction=0.0))


def page_text(observation: Observation) -> str:
    """What a state test reads: address and title, tabs, what happened, and the page's text."""
    head = [observation.url, observation.title]
    tabs = [f"{tab.title} {tab.url}" for tab in observation.tabs if not tab.active]
    events = [event.text for event in observation.events if event.text]
    return "\n".join(part for part in (*head, *tabs, *events, observation.text) if part)


class FastTester:
    """Tests states and proposed actions against a commitment's evidence. Each result holds an event to record."""

    def __init__(self, scorer: Scorer, settings: FcpSettings) -> None:
        self._scorer = scorer
        self._settings = settings
        self._quiet = 0

    def reset(self) -> None:
        """A slow check took place: the count of consecutive continues starts anew."""
        self._quiet = 0

    def state(self, commitment: Commitment, observation: Observation, *, anomaly: str, claimed: bool) -> Weighed:
        """Test a returned state.

        `anomaly` is the rule that fired, if one did. `claimed` is the executor's own word that the step is achieved:
        it asks the verifier where the scores alone would go on.
        """
        if anomaly:
            return self._asked(STATE, commitment, f"rule: {anomaly}")
        if self._settings.slow_only:
            return self._asked(STATE, commitment, "slow only: every state is verified")
        text = page_text(observation)
        progress = self._best(text, _stage(commitment, Stage.PROGRESS))
        completion = self._best(text, _stage(commitment, Stage.COMPLETION))
        groups = {scope: self._best(text, _group(commitment, scope)) for scope in Scope}
        worst = max(groups, key=lambda scope: groups[scope].support)
        scores = Scores(progress.support, completion.support, groups[worst].support)
        chosen, reason = route(scores, confidence=commitment.confidence, settings=self._settings)
        if chosen is Route.CONTINUE and claimed:
            chosen, reason = Route.VERIFY, "the executor says that the step is achieved"
        elif chosen is Route.CONTINUE:
            self._quiet += 1
            if self._quiet > self._settings.max_consecutive_continue:
                chosen, reason = Route.VERIFY, "periodic check after several quiet states"
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
            lines=_unique(completion.lines + progress.lines + groups[worst].lines),
        )
        falsifier = f"falsifier ({worst.value})" if scores.falsification > 0 else "falsifier"
        cue = (_named("completion", completion), _named("progress", progress), _named(falsifier, groups[worst]))
        return Weighed(tested, "; ".join((reason, *cue)))

    def action(self, commitment: Commitment, proposal: Proposal, *, premature: bool) -> Weighed:
        """Test a proposed action on its own words: the command, its target and the executor's reasoning.

        Risk = 0.7 overlap with falsifiers that can be judged before the action + 0.3 (1 - alignment with the subgoal
        and its progress evidence), from 0.5 on it is verified (decision 5). The subgoal is left out of the words that
        are scored, since they would then align with themselves. `premature` marks a report that ends the work while
        steps are open: it is always verified.
        """
        if premature:
            return self._asked(ACTION, commitment, "rule: the work would end while steps are open", proposal.text)
        if self._settings.slow_only:
            return self._asked(ACTION, commitment, "slow only: every high-impact action is verified", proposal.text)
        text = f"{proposal.words}\n{proposal.reasoning}"
        before = tuple(f.statement for f in commitment.falsifying if f.before_action)
        overlap = self._best(text, before)
        aligned = self._best(text, (commitment.subgoal, *_stage(commitment, Stage.PROGRESS)))
        settings = self._settings
        risk = settings.overlap_weight * overlap.support + settings.alignment_weight * (1 - aligned.support)
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
        )
        cue = (_named("falsifier", overlap), f"fit with the step {aligned.support:.2f}")
        return Weighed(tested, "; ".join((f"{tested.reason}, {risk:.2f}", *cue)))

    def preconditions(self, commitment: Commitment, observation: Observation) -> Weighed | None:
        """Test whether a commitment can start here; None when it names no precondition. Contradicted → verify."""
        text = page_text(observation)
        found = [_Found(s, self._scorer(text, s)) for s in _stage(commitment, Stage.PRECONDITION)]
        if not found:
            return None
        statement, worst = max(found, key=lambda f: (f.verdict.label is Label.CONTRADICTED, f.verdict.contradiction))
        contradicted = worst.label is Label.CONTRADICTED
        tested = Tested(
            phase=PRECONDITION,
            number=commitment.number,
            route=Route.VERIFY if contradicted else Route.CONTINUE,
            reason="a precondition is contradicted" if contradicted else "no precondition is contradicted",
            progress=max(f.support for f in found),
            falsification=worst.contradiction,
            lines=worst.lines if contradicted else (),
        )
        named = f'; {worst.contradiction:.2f} against "{statement}"' if contradicted else ""
        return Weighed(tested, tested.reason + named)

    def _asked(self, phase: str, commitment: Commitment, reason: str, action: str = "") -> Weighed:
        tested = Tested(phase=phase, number=commitment.number, route=Route.VERIFY, reason=reason, action=action)
        return Weighed(tested, reason)

    def _best(self, text: str, statements: Iterable[str]) -> _Found:
        """The statement with the highest support (decision 4)."""
        return max((_Found(s, self._scorer(text, s)) for s in statements), key=lambda f: f.support, default=_NOTHING)


def _stage(commitment: Commitment, stage: Stage) -> tuple[str, ...]:
    return tuple(c.statement for c in commitment.confirming if c.stage is stage)


def _group(commitment: Commitment, scope: Scope) -> tuple[str, ...]:
    return tuple(f.statement for f in commitment.falsifying if f.scope is scope)


def _named(what: str, found: _Found) -> str:
    """A score, and the statement that it belongs to if there is anything to it."""
    named = f' for "{found.statement}"' if found.support > 0 else ""
    return f"{what} {found.support:.2f}{named}"


def _unique(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lines))
