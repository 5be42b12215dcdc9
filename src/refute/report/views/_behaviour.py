"""View ``behaviour``: what an agent that tests its plan did on the way (fcpagent tables 9, 10, figures 3, 9 to 11)."""

from __future__ import annotations

from collections.abc import Mapping

from refute.metrics import (
    FAST_TESTER,
    Detection,
    Estimate,
    Strategy,
    checking,
    detections,
    drift_detection,
    module_seconds,
    outcomes,
    planning,
    repair_success,
    repairs_per_task,
    strategies,
)
from refute.report.views._length import by_length
from refute.report.views._options import ViewOptions
from refute.report.views._reported import reported
from refute.report.views._tables import RUN, N, Runs, each_run, facts, finished, ordered, percent_column
from refute.report.views._time import time_figures, time_sheet
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import Tables

_PHASES = ("state", "action", "precondition")
_MODULES = (
    "reading the goal",
    "planning",
    "executor",
    FAST_TESTER,
    "slow tester",
    "repair",
    "revision",
    "stage summary",
    "final check",
)


def behaviour_view(tables: Tables, options: ViewOptions) -> View:
    """Planning coverage, tests, drift, repairs, time by module, success by task length and against time."""
    runs = each_run(tables)
    testers = tuple((name, own) for name, own in runs if own.plans or own.checks)
    lengths, length_figures, missing = by_length(tables, runs, options)
    sheets = [
        _runtime(testers),
        _tests(testers),
        _drift(testers),
        _mistakes(testers),
        _modules(runs),
        _strategies(testers),
        *lengths,
        time_sheet(runs),
    ]
    if options.published:
        names = ("table9", "table10", "figure10", "figure11", "figure3")
        sheets += [reported("fcpagent", name) for name in names]
    if not testers:
        missing = {"planning, tests and repairs": "no run is of an agent that records a plan, such as fcp", **missing}
    return View(
        name="behaviour",
        title="What the agents did on the way",
        facts=facts(tables),
        sheets=tuple(sheet for sheet in sheets if sheet.rows),
        figures=(
            *_module_figures(runs),
            *_strategy_figures(testers),
            *length_figures,
            *time_figures(runs),
        ),
        missing=missing,
    )


def _runtime(runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, own in runs:
        plan, state, action = planning(own), checking(own, "state"), checking(own, "action")
        success = repair_success(outcomes(own), own.repairs)
        rows.append(
            (
                name,
                finished(own),
                plan.covered,
                plan.linked,
                plan.commitments,
                state.slow,
                state.drift,
                action.slow,
                action.drift,
                repairs_per_task(own),
                success,
            )
        )
    return Sheet(
        name="runtime",
        title="Plan, test, repair",
        columns=(
            RUN,
            N,
            percent_column("tasks_with_skill", "tasks w/ skill"),
            percent_column("fcus_linked", "FCUs linked"),
            Column(name="fcus_per_task", head="FCUs /task", form=Form.NUMBER, digits=1),
            percent_column("state_slow", "state slow"),
            percent_column("state_drift", "state drift"),
            percent_column("action_slow", "action slow"),
            percent_column("action_drift", "action drift"),
            Column(name="repairs_per_task", head="repairs /task", form=Form.NUMBER, digits=2),
            percent_column("repair_success", "repair succ."),
        ),
        rows=tuple(rows),
        notes=(
            "Plans: the first plan of an episode; a task has a skill when one was retrieved, or linked where the trace "
            "does not tell of retrieval",
            "Slow: share of fast tests after which a model was asked; drift: share of these answers that found a "
            "contradiction",
            "Repair succ.: wholly satisfied share of the tasks with a repair",
        ),
    )


def _tests(runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, own in runs:
        for phase in _PHASES:
            found = checking(own, phase)
            if found.tests:
                rows.append((name, phase, found.tests, found.slow, found.drift, found.milliseconds))
    return Sheet(
        name="tests",
        title="Tests by phase",
        columns=(
            RUN,
            Column(name="phase", head="phase"),
            Column(name="tests", head="tests", form=Form.COUNT),
            percent_column("slow", "asked the model"),
            percent_column("drift", "of these drift"),
            Column(name="milliseconds", head="ms per fast test", form=Form.NUMBER, digits=1),
        ),
        rows=tuple(rows),
    )


def _drift(runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, own in runs:
        found = drift_detection(own)
        if found.tp + found.fn:
            counts = (found.tp, found.fn, found.fp, found.tn)
            rows.append((name, found.total, *counts, found.precision, found.recall, found.f1, found.accuracy))
    return Sheet(
        name="drift",
        title="Drift detected, by episode",
        columns=(
            RUN,
            N,
            *(Column(name=c.lower(), head=c, form=Form.COUNT) for c in ("TP", "FN", "FP", "TN")),
            *(percent_column(c.lower(), c, digits=1) for c in ("Precision", "Recall", "F1", "Accuracy")),
        ),
        rows=tuple(rows),
        notes=(
            "The truth is the simulated model's record of its mistakes; detected: a diagnosis came while one lasted",
            "In an episode without a mistake any diagnosis is a false alarm; episodes under faults of the site are "
            "left out",
        ),
    )


def _mistakes(runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, own in runs:
        counted = own.only({e.key for e in own.episodes if e.status.counted})
        rows += [_mistake(name, kind, found) for kind, found in detections(counted.mistakes).items()]
    return Sheet(
        name="mistakes",
        title="Planted mistakes, by kind",
        columns=(
            RUN,
            Column(name="mistake", head="mistake"),
            *(Column(name=c, head=c, form=Form.COUNT) for c in ("planted", "noticed")),
            Column(name="attributed", head="scope right", form=Form.COUNT),
            Column(name="delay", head="delay (steps)", form=Form.NUMBER, digits=1),
        ),
        rows=tuple(rows),
        notes=("Noticed: a repair, or a diagnosis of drift, while the mistake lasted",),
    )


def _mistake(name: str, kind: str, found: Detection) -> tuple[Cell, ...]:
    return (name, kind.replace("_", " "), found.planted, found.noticed, found.attributed, found.delay)


def _shares(seconds: Mapping[str, Estimate]) -> Mapping[str, float]:
    total = sum(e.value or 0.0 for e in seconds.values())
    return {module: (e.value or 0.0) / total for module, e in seconds.items()} if total else {}


def _modules(runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, own in runs:
        seconds = module_seconds(own)
        shares = _shares(seconds)
        rows += [(name, m, seconds[m], shares.get(m)) for m in ordered(seconds, _MODULES)]
    return Sheet(
        name="modules",
        title="Time by module",
        columns=(
            RUN,
            Column(name="module", head="module"),
            Column(name="seconds", head="s per task", form=Form.NUMBER, digits=1),
            percent_column("share", "share", digits=1),
        ),
        rows=tuple(rows),
        notes=("A simulated model's seconds are virtual, the fast tester's are real; the browser has no part in this",),
    )


def _module_figures(runs: Runs) -> tuple[Figure, ...]:
    shares = [(name, _shares(module_seconds(own))) for name, own in runs]
    shares = [(name, found) for name, found in shares if found]
    modules = ordered({m for _, found in shares for m in found}, _MODULES)
    figure = Figure(
        name="modules",
        title="Share of the agent's time by module",
        shape=Shape.ROWS,
        categories=modules,
        series=tuple(
            Series(name=name, y=tuple(Estimate(value=found.get(m)) for m in modules)) for name, found in shares
        ),
        note="Time of the model and of the fast tester; the browser has no part in it",
    )
    return (figure,) if shares else ()


def _strategies(runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, own in runs:
        found = strategies(own)
        if own.repairs:
            rows.append((name, len(own.repairs), *(found[s] for s in Strategy)))
    return Sheet(
        name="strategies",
        title="Repairs by strategy",
        columns=(
            RUN,
            Column(name="repairs", head="repairs", form=Form.COUNT),
            *(percent_column(s.name.lower(), s.value) for s in Strategy),
        ),
        rows=tuple(rows),
        notes=("A repair that goes back counts as that, whatever else it changed",),
    )


def _strategy_figures(runs: Runs) -> tuple[Figure, ...]:
    found = [(name, strategies(own)) for name, own in runs if own.repairs]
    figure = Figure(
        name="strategies",
        title="Repairs by strategy",
        shape=Shape.ROWS,
        categories=tuple(s.value for s in Strategy),
        series=tuple(Series(name=name, y=tuple(shares[s] for s in Strategy)) for name, shares in found),
    )
    return (figure,) if found else ()
