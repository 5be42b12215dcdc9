"""View ``static-dynamic``: the same tasks told at once and bit by bit (dynarev tables 5, 7 and 9)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from refute.metrics import Outcome, outcomes, score, static_dynamic, tsr
from refute.report.views._alike import WAY, settings_but, way_in_words
from refute.report.views._options import ViewOptions
from refute.report.views._reported import reported
from refute.report.views._tables import facts
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.revisions import Deliver
from refute.tables import EpisodeKey, Tables

_Place = tuple[str, int | None]
"""A task and a seed."""


@dataclass(frozen=True, kw_only=True)
class _Twins:
    """Runs that told the goal at once, and those that told it bit by bit in one way; all else is the same."""

    name: str
    delivery: str
    static: tuple[Outcome, ...]
    dynamic: tuple[Outcome, ...]
    """Both of the same tasks."""


def static_view(tables: Tables, options: ViewOptions) -> View:
    """What dynamic delivery changes, for each agent and model that did the same tasks both ways.

    A static episode is one of a run that gives the final goal upfront (``--deliver upfront``). Of a condition the
    branch that holds counts in both (decision 24); a task whose constraints that count differ between the two is no
    pair: the site was another one.
    """
    twins, apart = _twins(tables)
    rows: list[tuple[Cell, ...]] = []
    series: list[Series] = []
    for pair in twins:
        one, two = pair.static, pair.dynamic
        d = static_dynamic(one, two)
        shares = (d.improved / d.pairs, d.worse / d.pairs, d.same / d.pairs)
        measured = (score(one), score(two), d.score, tsr(one), tsr(two), d.steps)
        rows.append((pair.name, pair.delivery, d.pairs, *measured, *shares))
        series.append(Series(name=pair.name, y=(score(one), score(two))))
    left_out = f"Left out, for what counts in them differs between the two: {', '.join(sorted(apart))}"
    sheets = [
        Sheet(
            name="static-dynamic",
            title="Static and dynamic delivery, paired by task",
            columns=(
                Column(name="agent", head="agent · model"),
                Column(name="delivery", head="dynamic delivery"),
                Column(name="pairs", head="pairs", form=Form.COUNT),
                Column(name="static", head="Score static", form=Form.NUMBER, digits=3),
                Column(name="dynamic", head="Score dynamic", form=Form.NUMBER, digits=3),
                Column(name="difference", head="Δ\u00a0Score", form=Form.NUMBER, digits=3, signed=True),
                Column(name="tsr_static", head="TSR static", form=Form.PERCENT, digits=1),
                Column(name="tsr_dynamic", head="TSR dynamic", form=Form.PERCENT, digits=1),
                Column(name="steps", head="Δ\u00a0steps", form=Form.NUMBER, digits=1, signed=True),
                *(Column(name=n, head=n, form=Form.PERCENT, digits=1) for n in ("improved", "worse", "same")),
            ),
            rows=tuple(rows),
            notes=(
                "Differences: dynamic less static; a task's repeats and seeds are averaged first",
                *((left_out,) if apart else ()),
            ),
        )
    ]
    if options.published:
        sheets.append(reported("dynarev", "table5"))
    figure = Figure(
        name="static-dynamic",
        title="Score under static and dynamic delivery",
        shape=Shape.BARS,
        categories=("static", "dynamic"),
        series=tuple(series),
        y_label="Score (%)",
    )
    why = "no agent has a run of these tasks with --deliver upfront beside one with revisions"
    return View(
        name="static-dynamic",
        title="What dynamic delivery changes",
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=(figure,) if series else (),
        missing={} if rows else {"static against dynamic": why},
    )


def _twins(tables: Tables) -> tuple[list[_Twins], set[str]]:
    """All of them, and the tasks that had to be left out. Runs are alike in all settings but how revisions come; an
    episode needs one of the same task and seed on the other side."""
    static: defaultdict[str, dict[_Place, list[Outcome]]] = defaultdict(dict)
    dynamic: defaultdict[tuple[str, str], dict[_Place, list[Outcome]]] = defaultdict(dict)
    names: dict[str, str] = {}
    for run in tables.runs:
        alike = settings_but(run, ("deliver", "seed", *WAY))
        way = way_in_words(run)
        names[alike] = f"{run.agent} · {run.model}"
        for outcome in outcomes(tables.run(run.run)):
            if outcome.deliver is Deliver.NEVER:
                continue  # it never hears of half of the goal: it is neither
            side = dynamic[alike, way] if outcome.revisions else static[alike]
            side.setdefault((outcome.task, run.seed), []).append(outcome)
    counting = _counting(tables)
    found: list[_Twins] = []
    apart: set[str] = set()
    for (alike, way), two in dynamic.items():
        one = static[alike]
        other = {
            place for place in one.keys() & two.keys() if len({counting[o.key] for o in (*one[place], *two[place])}) > 1
        }
        apart |= {task for task, _ in other}
        both = sorted((one.keys() & two.keys()) - other, key=str)
        if both:
            static_ones = tuple(o for place in both for o in one[place])
            dynamic_ones = tuple(o for place in both for o in two[place])
            found.append(_Twins(name=names[alike], delivery=way, static=static_ones, dynamic=dynamic_ones))
    return found, apart


def _counting(tables: Tables) -> Mapping[EpisodeKey, frozenset[str]]:
    """By episode: the texts of the constraints that count by the truth of its site."""
    found: defaultdict[EpisodeKey, set[str]] = defaultdict(set)
    for row in tables.constraints:
        if row.active:
            found[row.key].add(row.text)
    return defaultdict(frozenset[str], {key: frozenset(texts) for key, texts in found.items()})
