"""View ``rounds``: how far agents follow the goal, round by round (dynarev appendix H)."""

from __future__ import annotations

from collections.abc import Sequence

from refute.metrics import Estimate, css, mffr, share_without_failure, wra_by_round
from refute.report.views._by_judge import NO_WRA, judged_facts, windows_by_judge
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, N, each_run, judged_runs
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import JudgedRow, Tables, read_judged

ROUNDS = ("0", "1", "2", "3", "4+")


def rounds_view(tables: Tables, options: ViewOptions) -> View:
    """CSS of each round, and MFFR under each of its settings."""
    found = judged_runs(tables)
    nothing = Estimate(value=None)
    rates = [(name, len(rows), css(rows)) for name, rows in found]
    there = [k for k in ROUNDS if any(k in by_round for _, _, by_round in rates)]
    first: list[tuple[Cell, ...]] = []
    for name, rows in found:
        kinds = (
            mffr(rows),
            mffr(rows, no_failure="K"),
            mffr(rows, no_failure="exclude"),
            mffr(rows, start=0),
            share_without_failure(rows),
        )
        first.append((name, sum(o.revisions > 0 for o in rows), *kinds))
    sheets = (
        Sheet(
            name="rounds",
            title="Satisfied constraints by round (CSS)",
            columns=(RUN, N, *(Column(name=f"css_{k}", head=f"I{k}", form=Form.PERCENT, digits=1) for k in there)),
            rows=tuple((name, n, *(by_round.get(k, nothing) for k in there)) for name, n, by_round in rates),
            notes=("I0: the initial instruction; I1…: what revision 1… introduced; rounds from 4 on are pooled",),
        ),
        Sheet(
            name="first-failure",
            title="First round that fails (MFFR)",
            columns=(
                RUN,
                Column(name="n", head="n with revisions", form=Form.COUNT),
                Column(name="mffr", head="none = K+1", form=Form.NUMBER, digits=2),
                Column(name="mffr_k", head="none = K", form=Form.NUMBER, digits=2),
                Column(name="mffr_excluded", head="none left out", form=Form.NUMBER, digits=2),
                Column(name="mffr_from_0", head="from round 0", form=Form.NUMBER, digits=2),
                Column(name="without_failure", head="no failure", form=Form.PERCENT, digits=1),
            ),
            rows=tuple(first),
            notes=("K: a task's revisions. The paper does not say what a task without a failure counts as",),
        ),
    )
    judged = read_judged(tables)
    answers, asked = _answers(tables, judged)
    figure = Figure(
        name="rounds",
        title="Satisfied constraints by round",
        shape=Shape.BARS,
        categories=tuple(f"I{k}" for k in there),
        series=tuple(Series(name=n, y=tuple(by_round.get(k, nothing) for k in there)) for n, _, by_round in rates),
        y_label="CSS (%)",
    )
    return View(
        name="rounds",
        title="Round by round",
        facts=judged_facts(tables, judged),
        sheets=tuple(s for s in (*sheets, answers) if s.rows),
        figures=(figure,) if there else (),
        missing={} if asked else {"WRA by round": NO_WRA},
    )


def _answers(tables: Tables, judged: Sequence[JudgedRow]) -> tuple[Sheet, bool]:
    """WRA by round, for each run and judge; and whether a judge was asked at all."""
    found = [
        (run, judge, len(windows), wra_by_round(windows))
        for run, own in each_run(tables)
        for judge, windows in windows_by_judge(own, judged).items()
    ]
    there = [k for k in ROUNDS if any(k in by_round for *_, by_round in found)]
    nothing = Estimate(value=None)
    sheet = Sheet(
        name="responses",
        title="Responses to revisions by round (WRA)",
        columns=(
            RUN,
            Column(name="judge", head="judge"),
            Column(name="windows", head="windows", form=Form.COUNT),
            *(Column(name=f"wra_{k}", head=f"I{k}", form=Form.PERCENT, digits=1) for k in there),
        ),
        rows=tuple((run, judge, n, *(by_round.get(k, nothing) for k in there)) for run, judge, n, by_round in found),
        notes=("Responsive windows of the delivered revisions by a judge's word; undecided windows are left out",),
    )
    return sheet, bool(judged)
