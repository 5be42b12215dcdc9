"""The plan-test-repair loop (fcpagent algorithm 1)."""

from __future__ import annotations

from refute.agents._impact import ends_work, high_impact, impact, irreversible
from refute.agents._proposal import Proposal, propose
from refute.agents._protocol import Context
from refute.agents.fcp._commitment import Decision, Diagnosis, Route, Scope, Status, Tested
from refute.agents.fcp._fast_tester import ACTION, FastTester, Weighed
from refute.agents.fcp._final_check import FinalCheck
from refute.agents.fcp._journal import Journal
from refute.agents.fcp._repair import RepairCaps, apply_repair
from refute.agents.fcp._revision import apply_revision
from refute.agents.fcp._roles import PLANNER, REPAIRER, REVISER, SUMMARISER, VerifierOutput
from refute.agents.fcp._rules import anomaly
from refute.agents.fcp._settings import FcpSettings
from refute.agents.fcp._situation import Situation
from refute.agents.fcp._verify import verify
from refute.agents.memory import Memory, RecalledFailure
from refute.browser import Action, Done, Goto, Infeasible, Observation, Outcome, format_action
from refute.evidence import ImageScorer, TextScorer, open_image_scorer, open_scorer
from refute.goals import Goal, Revision


class FcpAgent:
    """Plans falsifiable commitments, tests each before and after acting, and repairs the smallest part that failed.

    `memory` recalls skills, and failures to guard against; without it there are none. `scorer` weighs text evidence,
    `image_scorer` pictures of the page; the defaults are those that the settings name. Every score, route and decision
    is recorded. Raises `UserError` for a scorer that is not known or cannot be opened.
    """

    def __init__(
        self,
        *,
        settings: FcpSettings | None = None,
        memory: Memory | None = None,
        scorer: TextScorer | None = None,
        image_scorer: ImageScorer | None = None,
    ) -> None:
        self._settings = settings or FcpSettings()
        self._memory = memory or Memory()
        self._scorer = scorer or open_scorer(self._settings.scorer)
        named = self._settings.image_scorer
        self._image_scorer = image_scorer or (open_image_scorer(named) if named else None)

    # ---- the protocol -------------------------------------------------------------------------------------------

    async def start(self, goal: Goal, observation: Observation, context: Context) -> None:
        """Plan for `goal` from this page."""
        settings = self._settings
        self._context = context
        self._tester = FastTester(self._scorer, settings, image_scorer=self._image_scorer)
        self._caps = RepairCaps(per_step=settings.max_repairs_per_step, total=settings.max_repairs)
        self._last: Proposal | None = None
        self._recovery_url: str | None = None
        self._recovering = False
        recalled = await self._memory.recall_skills(goal.text, recorder=context.recorder)
        self._now = Situation(goal, observation, recalled, settings=settings)
        self._plan = self._now.plan
        self._journal = Journal(context.recorder, self._plan)
        self._final = FinalCheck(self._scorer, context, may_repair=settings.repair) if settings.final_check else None
        if self._final is not None:
            await self._final.read(goal)
        failures = tuple(recalled.failure for recalled in await self._failures())
        answer = await context.model.call(PLANNER, self._now.planner_question(failures))
        self._plan.goal_version = goal.version
        self._plan.set_open([self._plan.enter(draft) for draft in answer.commitments])
        self._journal.plan("start")
        await self._activate()

    async def observe(self, outcome: Outcome, observation: Observation) -> None:
        """Test the state that the last action led to: go on, advance, or repair."""
        before, self._now.page = self._now.page, observation
        self._caps.next_step()
        last = self._last
        if last is None:
            return
        self._now.remember(last, outcome)
        if outcome.intercepted:
            return
        went_back, self._recovering = self._recovering, False
        if went_back:
            outcome = outcome.model_copy(update={"changed": True})  # it may have been there already: no anomaly
        tests = self._settings.state_test
        fired = anomaly(last, outcome, observation, before=before, circle=self._now.circle) if tests else ""
        if went_back and not fired:
            await self._activate()
        elif tests:
            if went_back:
                self._journal.status(self._plan.active.number, Status.ACTIVE)
            weighed = await self._tester.state(
                self._plan.active,
                observation,
                anomaly=fired,
                claimed=last.subgoal_done,
                picture=None if fired else await self._picture(),
            )
            await self._judge_state(weighed, lost=self._now.lost())
        elif last.subgoal_done and outcome.ok and not self._plan.reporting:
            await self._advance()

    async def revise(self, goal: Goal, revision: Revision, observation: Observation) -> None:
        """Rewrite the part of the plan that the change falsifies; keep the rest (decision 10)."""
        now, plan = self._now, self._plan
        now.page = observation
        before = plan.active
        answer = await self._context.model.call(REVISER, now.reviser_question(revision))
        was_open = plan.open
        now.goal = goal
        now.note(answer.observed)
        if self._final is not None:
            await self._final.read(goal)
        rewritten = apply_revision(plan, answer, revision=revision.text, goal_version=goal.version)
        for item in rewritten.falsified:
            self._journal.status(item.number, Status.FALSIFIED, item.why)
            if self._final is not None:
                self._final.forget(item.number)
        gone = {f.number for f in rewritten.falsified} | {c.number for c in plan.open}
        for commitment in was_open:
            if commitment.number not in gone:
                self._journal.status(commitment.number, Status.REVISED, "the goal changed")
        self._journal.plan("revision", tuple(f.number for f in rewritten.falsified), rewritten.note)
        going_back, self._recovery_url = self._recovery_url is not None, None  # that was for the goal before
        if plan.active.number != before.number:
            now.new_commitment()
        elif not going_back:
            return
        await self._activate()

    async def act(self) -> Action:
        """The next action that passes the test before it runs. Every returned action is a step (decision 13).

        When the repairs are used up, a rejected action runs unverified if it can be undone (decision 6). So does a
        report that ends the work: giving up would end it as well and tell the user less. Anything else gets one more
        plan in the episode, and then the agent gives up.
        """
        while self._recovery_url is None:
            proposal = await propose(self._now.executor_question(), self._context)
            objection = await self._objection(proposal) if proposal.usable else None
            if objection is None and self._final is not None and isinstance(proposal.action, Done):
                held = await self._final.check(self._now, proposal.action, repairs_left=self._caps.left)
                if held.advice:
                    self._now.guidance = held.advice
                    continue
                objection = held.objection
            if objection is None or not self._settings.repair:
                return self._take(proposal)
            self._now.reject(proposal, objection.pattern or objection.falsified)
            if await self._repair(objection, rejected=proposal.text):
                continue
            if not irreversible(proposal.action, self._now.page):
                self._journal.capped(ACTION, "runs_unverified", proposal.text)
                return self._take(proposal)
            if self._settings.replan and self._caps.take_last_replan():
                self._journal.capped(ACTION, "replanned", proposal.text)
                replan = objection.model_copy(update={"scope": Scope.PLANNING})
                await self._repair(replan, rejected=proposal.text, beyond_caps=True)
                continue
            self._journal.capped(ACTION, "infeasible", proposal.text)
            return self._give_up(proposal, objection)
        return self._recover(self._recovery_url)

    async def close(self) -> None:
        """Nothing was taken."""

    # ---- testing ------------------------------------------------------------------------------------------------

    async def _activate(self) -> None:
        """The active commitment starts; its preconditions are tested on this page (decision 5)."""
        self._journal.status(self._plan.active.number, Status.ACTIVE)
        if not self._settings.state_test or self._settings.slow_only:
            return
        weighed = await self._tester.preconditions(self._plan.active, self._now.page)
        if weighed is not None:
            await self._judge_state(weighed)

    async def _picture(self) -> bytes | None:
        """The page as a picture, where a scorer looks at it."""
        take = self._context.screenshot
        return await take() if take is not None and self._tester.wants_picture else None

    async def _judge_state(self, weighed: Weighed, *, lost: Diagnosis | None = None) -> None:
        """Record a test of the page, and let the verifier decide unless it may simply go on, or is lost for certain."""
        tested = weighed.tested
        self._context.recorder.record(tested)
        if tested.route is Route.CONTINUE:
            return
        self._tester.reset()
        certain = lost is not None and self._settings.repair and self._caps.left
        verdict = VerifierOutput(decision=Decision.REPAIR, diagnosis=lost) if certain else await self._verify(weighed)
        if verdict.decision is Decision.ADVANCE and not self._plan.reporting:
            await self._advance()
        elif verdict.diagnosis is not None and self._settings.repair and not await self._repair(verdict.diagnosis):
            self._journal.capped(tested.phase, "goes_on")

    async def _objection(self, proposal: Proposal) -> Diagnosis | None:
        """Why a proposed action should not run, or None. Only high-impact actions are tested (decision 5)."""
        number = self._plan.active.number
        earlier = self._now.rejection(proposal)
        if earlier is not None:
            reason = "rule: this action was already rejected on this page"
            self._context.recorder.record(
                Tested(phase=ACTION, number=number, route=Route.RISK, reason=reason, action=proposal.text)
            )
            return Diagnosis(scope=Scope.PLANNING, falsified=reason, pattern=f"proposed again, though {earlier.reason}")
        if not self._settings.action_test or not high_impact(proposal.action, self._now.page):
            return None
        if self._final is not None and isinstance(proposal.action, Done):
            return None  # it is about to be held against every requirement, which asks the model anyway
        premature = ends_work(proposal.action) and not self._plan.reporting
        kind = impact(proposal.action, self._now.page)
        weighed = await self._tester.action(self._plan.active, proposal, premature=premature, impact=kind)
        self._context.recorder.record(weighed.tested)
        if weighed.tested.route is Route.CONTINUE:
            return None
        return (await self._verify(weighed, proposal)).diagnosis

    async def _verify(self, weighed: Weighed, proposal: Proposal | None = None) -> VerifierOutput:
        sees = self._settings.verifier_picture
        return await verify(self._now, weighed, proposal, context=self._context, sees=sees)

    # ---- advancing and repairing --------------------------------------------------------------------------------

    async def _advance(self) -> None:
        """The active commitment is confirmed: summarise its stage and go on to the next one."""
        number = self._plan.active.number
        answer = await self._context.model.call(SUMMARISER, self._now.summary_question())
        if self._final is not None:
            self._final.keep(self._now)
        self._plan.confirm(answer.summary)
        self._now.stage_confirmed()
        self._journal.status(number, Status.CONFIRMED, answer.summary)
        if self._plan.reporting:
            self._journal.plan("report")
        await self._activate()

    async def _repair(self, diagnosis: Diagnosis, *, rejected: str = "", beyond_caps: bool = False) -> bool:
        """Repair the falsified commitment, unless the caps are used up: then nothing happens and False is returned."""
        if not beyond_caps and not self._caps.take():
            return False
        number = self._plan.active.number
        self._journal.status(number, Status.FALSIFIED, diagnosis.pattern or diagnosis.falsified)
        question = self._now.repairer_question(diagnosis, await self._failures(diagnosis))
        answer = await self._context.model.call(REPAIRER, question)
        self._now.note(answer.observed)
        change = apply_repair(self._plan, answer, self._settings)
        self._journal.repaired(number, diagnosis, answer, change, rejected=rejected)
        if change.scope is Scope.PLANNING:
            self._now.new_commitment()
        if change.scope is not Scope.EXECUTION:
            self._now.new_way()
            for commitment in change.replaced:
                self._journal.status(commitment.number, Status.REVISED, "replaced by a repair of the plan")
            self._journal.plan("repair", (number,))
        self._now.guidance = change.guidance
        self._recovery_url = self._now.recovery_url(answer.recovery)
        if self._recovery_url is None:
            await self._resume(change.scope)
        return True

    async def _failures(self, diagnosis: Diagnosis | None = None) -> tuple[RecalledFailure, ...]:
        """Failures of similar tasks; with a diagnosis, those that went wrong in a similar way."""
        if not self._settings.failure_library:
            return ()
        wrong = f"{diagnosis.falsified} {diagnosis.pattern}".strip() if diagnosis else None
        return await self._memory.recall_failures(self._now.goal.text, wrong, recorder=self._context.recorder)

    async def _resume(self, scope: Scope) -> None:
        """Go on from this page; only a new commitment has preconditions that were not tested yet."""
        if scope is Scope.EXECUTION:
            self._journal.status(self._plan.active.number, Status.ACTIVE, self._now.guidance)
        else:
            await self._activate()

    # ---- actions ------------------------------------------------------------------------------------------------

    def _take(self, proposal: Proposal) -> Action:
        self._last = proposal
        self._now.taking(proposal)
        return proposal.action

    def _recover(self, url: str) -> Action:
        """Go back to a known page; the commitment starts again from there."""
        self._recovery_url = None
        self._recovering = True
        action = Goto(url=url)
        return self._take(Proposal(action=action, text=f"{format_action(action)} to recover"))

    def _give_up(self, proposal: Proposal, objection: Diagnosis) -> Action:
        why = objection.pattern or objection.falsified
        action = Infeasible(reason=f"No safe way forward was found; {proposal.text} was rejected: {why}")
        return self._take(Proposal(action=action, text=format_action(action)))
