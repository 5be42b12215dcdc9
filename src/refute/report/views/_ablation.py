"""View ``ablation``: each variant against the whole agent, on the same tasks and dice (fcpagent tables 4, 5 and 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refute.metrics import Estimate, Outcome, difference, estimate, holm, mcnemar, paired, score, tsr
from refute.report.views._alike import apart, in_words, settings_but
from refute.report.views._options import ViewOptions
from refute.report.views._places import Place, by_place
from refute.report.views._reported import reported
from refute.report.views._tables import facts
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import RunRow, Tables

BASELINE = "fcp"
FEW = 20
"""Below so many tasks a percentile bootstrap promises more than it keeps."""
_FREE = ("agent", "seed")
"""What two runs that are compared may differ in: pairs are made within a seed. All other settings must be the same."""
LEVEL = 0.05
TOGETHER = "together"
"""The points of a grid pooled: other settings of the simulated mistakes, all else equal."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Runs that differ in the agent alone."""

    name: str
    """What tells it from the other groups: the folder that its runs share, which names the point of a grid, or the
    settings that differ; empty where there is one group."""
    agents: Mapping[str, Mapping[Place, Outcome]]
    grid: str
    """What it shares with the other points of its grid: all settings but the simulated mistakes."""


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """One variant less the baseline."""

    agent: str
    tasks: int
    score: Estimate
    success: Estimate
    steps: Estimate
    calls: Estimate
    seconds: Estimate
    won: int
    lost: int
    p: float
    better: int
    worse: int
    p_score: float

    def part(self, p: float) -> str:
        """What the part does that the variant lacks, as far as `p`, the corrected test of the scores, tells."""
        if p >= LEVEL:
            return "no effect seen"
        return "helps" if self.worse > self.better else "hurts"


def ablation_view(tables: Tables, options: ViewOptions) -> View:
    """Levels of all agents, paired differences to the baseline, and a word on each part."""
    baseline = options.reference or BASELINE
    groups = [g for g in _groups(tables) if baseline in g.agents and len(g.agents) > 1]
    missing = {} if groups else {"differences": f"no run of {baseline} has a run of another agent beside it"}
    compared = [(group.name, _compare(group, baseline)) for group in groups]
    if len(groups) > 1 and len({group.grid for group in groups}) == 1:
        compared.append((TOGETHER, _pooled(groups, baseline)))
    sheets = [_levels(groups), *(_differences(name, rows, baseline) for name, rows in compared)]
    if len(groups) > 1:
        sheets.append(_words(compared))
    if options.published:
        sheets += [reported("fcpagent", name) for name in ("table4", "table5", "table8")]
    return View(
        name="ablation",
        title=f"What each part of {baseline} is worth",
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=_figures(compared, baseline),
        missing=missing,
    )


def _groups(tables: Tables) -> list[Group]:
    runs: dict[str, list[RunRow]] = {}
    for run in tables.runs:
        runs.setdefault(settings_but(run, _FREE), []).append(run)
    names = _names(list(runs.values()))
    return [
        Group(
            name=name,
            agents=by_place(tables, own, lambda run: run.agent),
            grid=settings_but(own[0], (*_FREE, "rates")),
        )
        for name, own in zip(names, runs.values(), strict=True)
    ]


def _names(groups: Sequence[Sequence[RunRow]]) -> list[str]:
    """The folder where each group has one of its own, else the settings in which the groups differ."""
    if len(groups) == 1:
        folders = {run.run.rpartition("/")[0] for run in groups[0]}
        return [folders.pop() if len(folders) == 1 else ""]
    places = [{run.run.rpartition("/")[0] for run in runs} for runs in groups]
    alone = [next(iter(own)) for own in places if len(own) == 1]
    if len(alone) == len(groups) == len(set(alone)):
        return alone
    names = apart((runs[0] for runs in groups), _FREE)
    return [in_words(runs[0], names) for runs in groups]


def _compare(group: Group, baseline: str) -> list[_Compared]:
    return [_compared(agent, both) for agent, both in _pairs(group, baseline).items()]


def _pairs(group: Group, baseline: str) -> dict[str, list[tuple[Outcome, Outcome]]]:
    """By variant: the episodes of the baseline and of the variant at the same place."""
    base = group.agents[baseline]
    both = {
        agent: [(base[place], own[place]) for place in sorted(base.keys() & own.keys(), key=str)]
        for agent, own in group.agents.items()
        if agent != baseline
    }
    return {agent: found for agent, found in both.items() if found}


def _pooled(points: Sequence[Group], baseline: str) -> list[_Compared]:
    """A grid as one. A task's differences at all points are averaged, so that tasks stay the unit; what is not there at
    every point is left out, since it would be compared at other mistakes."""
    by_point = [_pairs(point, baseline) for point in points]
    rows: list[_Compared] = []
    for agent in by_point[0]:
        each = [pairs.get(agent, []) for pairs in by_point]
        tasks = set[str].intersection(*({one.task for one, _ in both} for both in each))
        if tasks:
            rows.append(_compared(agent, [pair for both in each for pair in both if pair[0].task in tasks]))
    return rows


def _compared(agent: str, both: Sequence[tuple[Outcome, Outcome]]) -> _Compared:
    pair = paired((a for a, _ in both), (b for _, b in both))

    def less(value: Callable[[Outcome], float]) -> Estimate:
        return difference((a.task, value(a), value(b)) for a, b in both)

    return _Compared(
        agent=agent,
        tasks=pair.tasks,
        score=less(lambda o: o.score),
        success=less(lambda o: float(o.success)),
        steps=less(lambda o: o.steps),
        calls=less(lambda o: o.calls),
        seconds=less(lambda o: o.model_seconds),
        won=pair.won,
        lost=pair.lost,
        p=pair.p,
        better=pair.better,
        worse=pair.worse,
        p_score=mcnemar(pair.better, pair.worse),
    )


def _levels(groups: Sequence[Group]) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        for agent, episodes in group.agents.items():
            own = tuple(episodes.values())
            if own:
                rows.append(
                    (
                        group.name,
                        agent,
                        len(own),
                        score(own),
                        tsr(own),
                        estimate((o.task, o.steps) for o in own),
                        estimate((o.task, o.calls) for o in own),
                        estimate((o.task, o.model_seconds) for o in own),
                    )
                )
    columns = (
        Column(name="setting", head="setting"),
        Column(name="agent", head="agent"),
        Column(name="n", head="n", form=Form.COUNT),
        Column(name="score", head="Score", form=Form.NUMBER, digits=3),
        Column(name="tsr", head="TSR", form=Form.PERCENT, digits=1),
        Column(name="steps", head="steps", form=Form.NUMBER, digits=1),
        Column(name="calls", head="model calls", form=Form.NUMBER, digits=1),
        Column(name="model_seconds", head="model s", form=Form.NUMBER, digits=1),
    )
    one = not any(group.name for group in groups)
    return Sheet(
        name="levels",
        title="All agents",
        columns=columns[1:] if one else columns,
        rows=tuple(row[1:] for row in rows) if one else tuple(rows),
        notes=("Per task; model s is the model's time, virtual where it is simulated",),
    )


def _differences(name: str, rows: Sequence[_Compared], baseline: str) -> Sheet:
    adjusted = _adjusted(rows)
    few = any(row.tasks < FEW for row in rows)
    return Sheet(
        name=f"differences-{name}" if name else "differences",
        title=f"Variant less {baseline}" + (f": {name}" if name else ""),
        columns=(
            Column(name="variant", head="variant"),
            Column(name="tasks", head="tasks", form=Form.COUNT),
            Column(name="score", head="Δ\u00a0Score", form=Form.NUMBER, digits=3, signed=True),
            Column(name="tsr", head="Δ\u00a0TSR", form=Form.PERCENT, digits=1, signed=True),
            Column(name="steps", head="Δ\u00a0steps", form=Form.NUMBER, digits=1, signed=True),
            Column(name="calls", head="Δ\u00a0calls", form=Form.NUMBER, digits=1, signed=True),
            Column(name="model_seconds", head="Δ\u00a0model s", form=Form.NUMBER, digits=1, signed=True),
            Column(name="won", head="won", form=Form.COUNT),
            Column(name="lost", head="lost", form=Form.COUNT),
            Column(name="p", head="p\u00a0(Holm)", form=Form.NUMBER, digits=3),
            Column(name="p_score", head="p\u00a0Score (Holm)", form=Form.NUMBER, digits=3),
            Column(name="part", head="the part"),
        ),
        rows=tuple(
            (
                row.agent,
                row.tasks,
                row.score,
                row.success,
                row.steps,
                row.calls,
                row.seconds,
                row.won,
                row.lost,
                p,
                p_score,
                row.part(p_score),
            )
            for row, p, p_score in zip(rows, holm([row.p for row in rows]), adjusted, strict=True)
        ),
        notes=(
            "Paired by task, seed and repeat; below zero: less without the part",
            "Won, lost: tasks that the variant satisfies more often, less often; p: exact McNemar test, Holm-corrected",
            f"The part that the variant lacks helps, or hurts, where p Score is below {LEVEL}: an exact sign test over "
            "the tasks with a higher and with a lower score, Holm-corrected. slow-only lacks no part: there it is "
            f"the way that {baseline} takes instead",
            *(["A task's differences at all points of the grid are averaged"] if name == TOGETHER else []),
            *([f"With fewer than {FEW} tasks these intervals are too narrow; p is exact"] if few else []),
        ),
    )


def _adjusted(rows: Sequence[_Compared]) -> Sequence[float]:
    return holm([row.p_score for row in rows])


def _words(compared: Sequence[tuple[str, Sequence[_Compared]]]) -> Sheet:
    agents = list(dict.fromkeys(row.agent for _, rows in compared for row in rows))
    words = [{row.agent: row.part(p) for row, p in zip(rows, _adjusted(rows), strict=True)} for _, rows in compared]
    return Sheet(
        name="parts",
        title="Where each part helps",
        columns=(
            Column(name="variant", head="variant"),
            *(Column(name=name or "all", head=name or "all") for name, _ in compared),
        ),
        rows=tuple((agent, *(by_agent.get(agent) for by_agent in words)) for agent in agents),
    )


def _figures(compared: Sequence[tuple[str, Sequence[_Compared]]], baseline: str) -> tuple[Figure, ...]:
    agents = list(dict.fromkeys(row.agent for _, rows in compared for row in rows))
    if not agents:
        return ()

    def figure(name: str, title: str, value: Callable[[_Compared], Estimate], *, x_label: str) -> Figure:
        by_group = [(where or baseline, {r.agent: value(r) for r in rows}) for where, rows in compared]
        nothing = Estimate(value=None)
        return Figure(
            name=name,
            title=title,
            shape=Shape.FOREST,
            categories=tuple(agents),
            series=tuple(Series(name=n, y=tuple(found.get(a, nothing) for a in agents)) for n, found in by_group),
            x_label=x_label,
            percent=False,
        )

    return (
        figure("score", "What the score loses without a part", lambda r: r.score, x_label=f"Δ Score (less {baseline})"),
        figure(
            "calls", "Model calls without a part", lambda r: r.calls, x_label=f"Δ model calls a task ({baseline} = 0)"
        ),
    )
