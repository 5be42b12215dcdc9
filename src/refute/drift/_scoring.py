"""From a recording to all figures: for each author of commitments, and for each routing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from refute._errors import UserError
from refute.agents import FcpSettings, Routing
from refute.arena import SECONDS, Dice
from refute.drift._detector import Weighed, falsified, reasons, shifted, states, weigh
from refute.drift._plans import Plan, ReaderPlan, own_plan, readers_plan
from refute.drift._record import Calm, Drive, Header, Kind, read_recording
from refute.drift._result import SIMULATED, WITHIN, DriftResult, Figures, Group, Judged, Point
from refute.evidence import LEXICAL
from refute.metrics import (
    DriftCost,
    DriftState,
    Verifier,
    asked,
    by_coin,
    delays,
    escalated_off_track,
    escalated_on_track,
    false_alarms,
    mean_delay,
    noticed_within,
    quality,
    saved,
)

PREVALENCES = (0.1, 0.5)
"""Shares of off-track states that figures are weighted to."""
SHIFTS = tuple(round(n / 20, 2) for n in range(-11, 10))
"""Of all thresholds of equation 6, for the curve."""
GRID = tuple(
    Verifier(sensitivity=sensitivity, specificity=specificity, persistent=persistent)
    for sensitivity in (0.5, 0.7, 0.9, 1.0)
    for specificity in (0.9, 0.97)
    for persistent in (False, True)
)
"""Qualities of a verifier. They are illustrative: no source tells how good one is state by state."""
PATIENCE = tuple(range(7))
"""Quiet states in a row that may go on without a check, for the second curve."""
ROUTINGS = {
    "paper": FcpSettings(),
    "lean": FcpSettings(routing=Routing.LEAN),
    "lean-2": FcpSettings(routing=Routing.LEAN, max_consecutive_continue=WITHIN),
    "claims-2": FcpSettings(routing=Routing.CLAIMS, max_consecutive_continue=WITHIN),
}
"""What is scored. Checked after `WITHIN` quiet states, a drift cannot pass unasked for longer than that."""
READERS, PROCEDURES = "readers", "procedures"


async def score(recording: Path, plans: Mapping[str, ReaderPlan], *, scorer: str = LEXICAL.name) -> DriftResult:
    """Score the fast tester on a recording, with the simulated planner's commitments and with readers' `plans`.

    `scorer`: what weighs evidence, a name that `refute.evidence.open_scorer` takes. Raises `UserError` for a file that
    is no recording, one without drives, plans that do not fit its routes, and an unknown scorer.
    """
    header, drives = read_recording(recording)
    if not drives:
        raise UserError(f"{recording} holds no drives yet; the command that recorded it goes on when given again")
    return await _result(header, drives, plans, scorer)


def balanced(drives: Sequence[Drive], seed: int) -> list[Drive]:
    """The drives with as many states on track as off it: surplus ones, drawn by `seed`, are replayed, not scored."""
    dice = Dice(seed=seed, task="balance")
    on = [(drive.id, state.number) for drive in drives for state in drive.states if state.label == "on"]
    off = sum(state.label == "off" for drive in drives for state in drive.states)
    drawn = sorted(on, key=lambda place: dice.roll(place[0], str(place[1])))
    spare = set(drawn[off:]) if off else set[tuple[str, int]]()
    return [
        drive.model_copy(
            update={
                "states": tuple(
                    state.model_copy(update={"label": "passing"}) if (drive.id, state.number) in spare else state
                    for state in drive.states
                )
            }
        )
        for drive in drives
    ]


async def _result(
    header: Header, recorded: Sequence[Drive], plans: Mapping[str, ReaderPlan], scorer: str
) -> DriftResult:
    drives = balanced(recorded, header.seed)
    written = {d.id: plan for d in drives if (plan := readers_plan(d, plans)) is not None}
    authors: dict[str, Mapping[str, Figures]] = {}
    if written:
        authors[READERS] = await _by_routing([d for d in drives if d.id in written], lambda d: written[d.id], scorer)
    authors[PROCEDURES] = await _by_routing(drives, own_plan, scorer)
    labels = Counter(state.label for drive in drives for state in drive.states)
    before = Counter(state.label for drive in recorded for state in drive.states)
    present = Counter(drive.kind for drive in drives)
    return DriftResult(
        simulated=SIMULATED,
        site=header.site,
        seed=header.seed,
        split=header.split,
        scorer=scorer,
        drives=len(drives),
        drifts=sum(drive.onset is not None for drive in drives),
        wanted={kind: header.per_kind if isinstance(kind, Kind) else header.per_calm for kind in (*Kind, *Calm)},
        present={kind: present[kind] for kind in (*Kind, *Calm)},
        on_track=labels["on"],
        off_track=labels["off"],
        surplus=before["on"] - labels["on"],
        authors=authors,
        tasks={
            READERS: len({d.task for d in drives if d.id in written}),
            PROCEDURES: len({d.task for d in drives}),
        },
    )


async def _by_routing(drives: Sequence[Drive], plan_of: Callable[[Drive], Plan], scorer: str) -> Mapping[str, Figures]:
    weighed = [found for drive in drives if (found := await weigh(drive, plan_of(drive), FcpSettings(scorer=scorer)))]
    return {name: _figures(weighed, settings) for name, settings in ROUTINGS.items()}


def _figures(drives: Sequence[Sequence[Weighed]], settings: FcpSettings) -> Figures:
    why = [reasons(drive, settings) for drive in drives]
    found = [state for drive, whys in zip(drives, why, strict=True) for state in states(drive, whys)]
    reached = [state for drive in drives for state in falsified(drive, settings)]
    on_track = escalated_on_track(found)
    spread = delays(found)
    both = list(zip(drives, why, strict=True))
    complete = [w.completes for drive in drives for w in drive if w.state.label == "on"]
    drifts = [(drive, whys) for drive, whys in both if drive[0].drive.onset is not None]
    calls, seconds = (list(_costs(both, per_call)) for per_call in (None, SECONDS))
    kinds = sorted({str(drive[0].drive.kind) for drive, _ in drifts})
    scopes = sorted({str(drive[0].drive.scope) for drive, _ in drifts})
    shown = {drive[0].drive.id for drive, _ in drifts if not drive[0].drive.revisions}
    return Figures(
        on_track=on_track,
        off_track=escalated_off_track(found),
        completing=sum(complete) / len(complete) if complete else None,
        under_way=escalated_on_track(s for drive, whys in both for s in states(drive, whys, under_way=True)),
        false_alarms=false_alarms(found),
        asked={_name(p): asked(found, prevalence=p) for p in PREVALENCES},
        within=tuple(noticed_within(found, steps) for steps in range(5)),
        coin=None if on_track.value is None else by_coin(on_track.value, WITHIN),
        delays=spread,
        delay=mean_delay(spread),
        quality={_name(p): quality(found, prevalence=p) for p in PREVALENCES},
        kinds={kind: _group([d for d in drifts if d[0][0].drive.kind == kind]) for kind in kinds},
        scopes={scope: _group([d for d in drifts if d[0][0].drive.scope == scope]) for scope in scopes},
        pages_only=noticed_within([s for s in found if s.drive in shown], WITHIN),
        why=_why(both),
        falsified_on_track=escalated_on_track(reached),
        falsified_off_track=escalated_off_track(reached),
        starts_asked=sum(one.start_asked for drive in drives for one in drive),
        verified=tuple(_judged(found, verifier) for verifier in GRID),
        calls_avoided={_name(p): saved(calls, prevalence=p) for p in PREVALENCES},
        seconds_avoided={_name(p): saved(seconds, prevalence=p) for p in PREVALENCES},
        curve=tuple(_point(drives, shifted(settings, shift), shift) for shift in SHIFTS),
        patience=tuple(_point(drives, replace(settings, max_consecutive_continue=n), 0.0) for n in PATIENCE),
    )


_Both = tuple[Sequence[Weighed], Sequence[Any]]


def _group(drifts: Sequence[_Both]) -> Group:
    found = [state for drive, why in drifts for state in states(drive, why)]
    first = Counter(
        next((str(y) for w, y in zip(drive, why, strict=True) if y and w.state.since is not None), "never")
        for drive, why in drifts
    )
    return Group(
        drives=len(drifts),
        within=noticed_within(found, WITHIN),
        escalated=escalated_off_track(found),
        first=dict(sorted(first.items())),
    )


def _why(drives: Sequence[_Both]) -> Mapping[str, Mapping[str, int]]:
    counts: dict[str, Counter[str]] = {"on": Counter(), "off": Counter()}
    for drive, why in drives:
        for one, reason in zip(drive, why, strict=True):
            if one.state.label != "passing":
                counts[one.state.label][str(reason or "continue")] += 1
    return {label: dict(sorted(found.items())) for label, found in counts.items()}


def _judged(found: Sequence[DriftState], verifier: Verifier) -> Judged:
    return Judged(
        verifier=verifier,
        within=noticed_within(found, WITHIN, verifier),
        delay=mean_delay(delays(found, verifier)),
        false_alarms=false_alarms(found, verifier),
        quality={_name(p): quality(found, prevalence=p, verifier=verifier) for p in PREVALENCES},
    )


def _costs(drives: Sequence[_Both], seconds: Mapping[str, float] | None) -> list[DriftCost]:
    """Verifier calls of each state, of a high-impact action before it, and of a commitment that starts there; or
    seconds, the executor's own among them."""
    a_call, acting = (1.0, 0.0) if seconds is None else (seconds["verifier"], seconds["executor"])
    return [
        DriftCost(
            drive=one.drive.id,
            since=one.state.since,
            spent=acting + a_call * ((reason is not None) + one.action_asked + one.start_asked),
            full=acting + a_call * (1 + one.high_impact),
        )
        for drive, why in drives
        for one, reason in zip(drive, why, strict=True)
        if one.state.label != "passing"
    ]


def _point(drives: Sequence[Sequence[Weighed]], settings: FcpSettings, shift: float) -> Point:
    found = [state for drive in drives for state in states(drive, reasons(drive, settings))]
    on_track = escalated_on_track(found).value
    return Point(
        shift=shift,
        patience=settings.max_consecutive_continue,
        on_track=on_track,
        within=noticed_within(found, WITHIN).value,
        coin=None if on_track is None else by_coin(on_track, WITHIN),
    )


def _name(prevalence: float) -> str:
    return f"{prevalence:g}"
