"""View ``main``: how good the runs are (dynarev table 2)."""

from __future__ import annotations

from refute.metrics import STEPS, Estimate, measure, outcomes, wra
from refute.report.views._by_judge import NO_WRA, by_judge, judged_facts, windows_by_judge
from refute.report.views._options import ViewOptions
from refute.report.views._reported import reported
from refute.report.views._tables import RUN, N, each_run
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import Tables, read_judged


def main_view(tables: Tables, options: ViewOptions) -> View:
    """Score, TSR, MFFR, CE and what they leave out, by run."""
    runs = each_run(tables)
    judged = read_judged(tables)
    judges = [name for name, _ in by_judge(judged)]
    rows: list[tuple[Cell, ...]] = []
    scores: list[tuple[str, Estimate, Estimate]] = []
    for name, own in runs:
        m = measure(own)
        windows = windows_by_judge(own, judged)
        answered = (wra(windows.get(judge, ())) for judge in judges)
        figures = (m.score, m.score_unforced, m.tsr, m.mffr, m.without_failure, *answered, m.ce_steps, m.steps)
        rows.append((name, m.counts.n, *figures, m.counts.errors, m.counts.unfinished))
        if outcomes(own):
            scores.append((name, m.score, m.tsr))
    sheet = Sheet(
        name="main",
        title="Score, success and efficiency",
        columns=(
            RUN,
            N,
            Column(name="score", head="Score", form=Form.NUMBER, digits=3),
            Column(name="score_unforced", head="without forced", form=Form.NUMBER, digits=3),
            Column(name="tsr", head="TSR", form=Form.PERCENT, digits=1),
            Column(name="mffr", head="MFFR", form=Form.NUMBER, digits=2),
            Column(name="without_failure", head="no failure", form=Form.PERCENT, digits=1),
            *(
                Column(name=f"wra_{judge}", head=f"WRA, {judge}", form=Form.PERCENT, digits=1)
                if len(judges) > 1
                else Column(name="wra", head="WRA", form=Form.PERCENT, digits=1)
                for judge in judges
            ),
            Column(name="ce_steps", head="CE", form=Form.NUMBER, digits=3),
            Column(name="steps", head="steps", form=Form.NUMBER, digits=1),
            Column(name="errors", head="errors", form=Form.COUNT),
            Column(name="unfinished", head="open", form=Form.COUNT),
        ),
        rows=tuple(rows),
        notes=(
            "By the truth of the site",
            *(["WRA by a judge: responsive windows of the delivered revisions"] if judges else []),
            "Without forced: what a forced delivery introduced counts 0; no failure: share of tasks with revisions in "
            "which no round fails",
            f"CE on steps with B = {STEPS}; harness errors and unfinished episodes are in no mean",
        ),
    )
    figure = Figure(
        name="main",
        title="Score and tasks wholly satisfied",
        shape=Shape.BARS,
        categories=("Score", "TSR"),
        series=tuple(Series(name=name, y=(score, tsr)) for name, score, tsr in scores),
        y_label="%",
    )
    return View(
        name="main",
        title="How good the runs are",
        facts=judged_facts(tables, judged),
        sheets=(
            sheet,
            *([reported("dynarev", "table2"), reported("fcpagent", "table2")] if options.published else []),
        ),
        figures=(figure,) if scores else (),
        missing={} if judges else {"WRA": NO_WRA},
    )
