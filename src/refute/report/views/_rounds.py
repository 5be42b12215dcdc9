"""View ``rounds``: how far agents follow the goal, round by round (dynarev appendix H)."""

from __future__ import annotations

from refute.metrics import Estimate, css, mffr, share_without_failure
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, N, facts, judged_runs
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import Tables

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
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=(figure,) if there else (),
        missing={"WRA by round": "it needs a judge's word on each delivered revision"},
    )
