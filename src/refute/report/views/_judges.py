"""Views ``calibration`` and ``response``: what judges found, and how good they are."""

from __future__ import annotations

from collections.abc import Iterable

from refute.metrics import (
    Agreement,
    Coverage,
    Estimate,
    Response,
    agreement,
    coverage,
    pooled,
    responses,
    satisfaction_by_response,
    score_judged,
    wra,
)
from refute.report.views._by_judge import by_judge, judged_facts
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, each_run
from refute.report.views._trigger import trigger_part
from refute.report.views._view import Cell, Column, Figure, Form, Place, Series, Shape, Sheet, View
from refute.tables import Tables, read_judged

SHOWN = 60
"""Disagreements listed, at most."""
LONGEST = 160
"""Characters of what a verdict rests on; all of it stands in the judge's file."""
_JUDGE = Column(name="judge", head="judge")
_UNREADABLE = Column(name="unreadable", head="unreadable", form=Form.COUNT)
_UNJUDGED = Column(name="unjudged", head="not judged", form=Form.COUNT)
NO_JUDGE = {"what a judge finds": "no judge has read these runs: `refute judge RUNS`"}
_NO_TRIGGER = {
    "how good the trigger is": "no model was asked about milestones whose truth is known: `--trigger milestone`"
}
_ADAPTATIONS = ("additive", "overwrite", "unrelated")


def calibration_view(tables: Tables, options: ViewOptions) -> View:
    """Each judge against the truth, constraint by constraint, and where they differ; and the trigger, look by look."""
    judged = read_judged(tables)
    found = {name: agreement(tables, rows) for name, rows in by_judge(judged)}
    scores = {name: score_judged(rows) for name, rows in by_judge(judged)}
    covered = {name: coverage(tables, rows) for name, rows in by_judge(judged)}
    misses = [
        (
            m.judge,
            m.key.run,
            m.key.task,
            m.key.repeat,
            m.constraint,
            m.miss.value,
            _short(m.judged_on),
            _short(m.true_on),
        )
        for each in found.values()
        for m in each.disagreements
    ]
    judges = Sheet(
        name="judges",
        title="Judges against the truth",
        columns=(
            _JUDGE,
            Column(name="n", head="constraints", form=Form.COUNT),
            Column(name="agree", head="agree", form=Form.PERCENT, digits=1),
            Column(name="precision", head="precision", form=Form.PERCENT, digits=1),
            Column(name="recall", head="recall", form=Form.PERCENT, digits=1),
            Column(name="specificity", head="specificity", form=Form.PERCENT, digits=1),
            Column(name="kappa", head="κ", form=Form.NUMBER, digits=3),
            Column(name="other_branch", head="other branch", form=Form.COUNT),
            Column(name="undecided", head="undecided", form=Form.COUNT),
            Column(name="score_judged", head="score, judged", form=Form.NUMBER, digits=3),
            Column(name="scored", head="of episodes", form=Form.COUNT),
            Column(name="unscored", head="without a score", form=Form.COUNT),
            _UNREADABLE,
            _UNJUDGED,
        ),
        rows=tuple((name, *_cells(each), scores[name], *_reach(covered[name])) for name, each in found.items()),
        notes=(
            "Constraints that count by the truth and were delivered; “satisfied” is what is to be found",
            "Other branch: counted by the truth, while the judge read the other outcome of the condition; in no rate",
            "κ with its large-sample interval; the judged score with its bootstrap over tasks",
            "Without a score: episodes with an undecided constraint, or none that counts; in no mean",
        ),
    )
    places = Sheet(
        name="disagreements",
        title="Where judge and truth differ",
        columns=(
            _JUDGE,
            RUN,
            Column(name="task", head="task"),
            Column(name="repeat", head="repeat", form=Form.COUNT),
            Column(name="constraint", head="constraint"),
            Column(name="miss", head="the judge is"),
            Column(name="judged_on", head="the judge's grounds"),
            Column(name="true_on", head="the truth's grounds"),
        ),
        rows=tuple(misses[:SHOWN]),
        places=tuple(Place(key=m.key) for each in found.values() for m in each.disagreements)[:SHOWN],
        notes=(
            "In the report: RUN/TASK/REPEAT/index.html",
            *([f"The first {SHOWN} of {len(misses)}"] if len(misses) > SHOWN else []),
        ),
    )
    trigger, figures = trigger_part(tables)
    return View(
        name="calibration",
        title="How good the judges are, and the trigger",
        facts=judged_facts(tables, judged),
        sheets=(*(sheet for sheet in (judges, places) if sheet.rows), *trigger),
        figures=figures,
        missing=({} if judged else NO_JUDGE) | ({} if trigger else _NO_TRIGGER),
    )


def response_view(tables: Tables, options: ViewOptions) -> View:
    """Whether agents respond to revisions, and what becomes of those that were responded to (dynarev table 4)."""
    judged = read_judged(tables)
    rows: list[tuple[Cell, ...]] = []
    bars: list[tuple[str, Estimate, Estimate]] = []
    for run, own in each_run(tables):
        keys = {episode.key for episode in own.episodes}
        for name, verdicts in by_judge(row for row in judged if row.key in keys):
            windows = responses(own, verdicts)
            reached = satisfaction_by_response(windows)
            shares = (_share(windows, adaptation) for adaptation in _ADAPTATIONS)
            left = coverage(own, verdicts)
            outside = (left.undecided_windows, left.unreadable, left.unjudged)
            rows.append((run, name, len(windows), wra(windows), reached[True], reached[False], *shares, *outside))
            bars.append((f"{run}, {name}", reached[True], reached[False]))
    sheet = Sheet(
        name="responses",
        title="Responses to revisions",
        columns=(
            RUN,
            _JUDGE,
            Column(name="windows", head="windows", form=Form.COUNT),
            Column(name="wra", head="WRA", form=Form.PERCENT, digits=1),
            Column(name="satisfied_if_responsive", head="satisfied if responsive", form=Form.PERCENT, digits=1),
            Column(name="satisfied_if_not", head="satisfied if not", form=Form.PERCENT, digits=1),
            *(Column(name=each, head=each, form=Form.PERCENT) for each in _ADAPTATIONS),
            Column(name="undecided", head="undecided", form=Form.COUNT),
            _UNREADABLE,
            _UNJUDGED,
        ),
        rows=tuple(rows),
        notes=(
            "A window is the next three actions at most, cut by the next revision or the end",
            "Satisfied: share of the revision's constraints at the end, by the same judge",
            "Undecided: windows more, in no share; unreadable and not judged: episodes",
        ),
    )
    figure = Figure(
        name="response",
        title="Satisfied constraints of a revision",
        shape=Shape.ROWS,
        categories=tuple(label for label, *_ in bars),
        series=(
            Series(name="responsive", y=tuple(yes for _, yes, _ in bars)),
            Series(name="not responsive", y=tuple(no for *_, no in bars)),
        ),
    )
    return View(
        name="response",
        title="Reacting to a revision, and satisfying it",
        facts=judged_facts(tables, judged),
        sheets=(sheet,) if rows else (),
        figures=(figure,) if rows else (),
        missing={} if judged else NO_JUDGE,
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _cells(found: Agreement) -> tuple[Cell, ...]:
    counts, kappa = found.confusion, found.kappa
    return (
        counts.total,
        counts.accuracy,
        counts.precision,
        counts.recall,
        found.specificity,
        Estimate(value=kappa.value, low=kappa.low, high=kappa.high),
        found.other_branch,
        found.undecided,
    )


def _reach(found: Coverage) -> tuple[Cell, ...]:
    return found.scored, found.unscored, found.unreadable, found.unjudged


def _share(windows: Iterable[Response], adaptation: str) -> Estimate:
    """Share of the windows that were labelled so, among those with a label."""
    return pooled((w.task, float(w.adaptation == adaptation)) for w in windows if w.adaptation)
