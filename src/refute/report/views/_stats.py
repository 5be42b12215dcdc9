"""View ``stats``: what the tasks are, and which runs differ (dynarev table 1; decision 29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from refute.metrics import estimate, holm, outcomes, paired
from refute.report.views._alike import settings_but
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, Runs, each_run, facts, ordered
from refute.report.views._view import Cell, Column, Form, Sheet, View
from refute.tables import EpisodeRow, Tables

_WHO = ("agent", "model", "base_url", "output_mode")
"""What two runs of a pair may differ in: who acts. Other seeds or settings would be other dice, or another question."""
_KINDS = ("static", "additive", "unconditional", "conditional", "retraction")


def stats_view(tables: Tables, options: ViewOptions) -> View:
    """Tasks by type with constraints and revisions, endings by run, and pairs of runs with a corrected test."""
    runs = each_run(tables)
    pairs = _pairs(runs)
    return View(
        name="stats",
        title="Tasks, episodes and pairs of runs",
        facts=facts(tables),
        sheets=tuple(s for s in (_tasks(tables), _episodes(runs), pairs) if s.rows),
        missing={} if pairs.rows else {"pairs of runs": "no two runs differ in agent or model alone and share a task"},
    )


def _tasks(tables: Tables) -> Sheet:
    first: dict[str, EpisodeRow] = {}
    for episode in tables.episodes:
        if episode.agent:  # the trace tells which task it is
            first.setdefault(episode.task, episode)
    constraints = Counter(c.key for c in tables.constraints if c.active)
    rows: list[tuple[Cell, ...]] = []
    for kind in ordered((e.kind.value for e in first.values()), _KINDS):
        own = [e for e in first.values() if e.kind.value == kind]
        rows.append(
            (
                kind,
                len(own),
                len({e.template for e in own}),
                estimate((e.task, e.revisions) for e in own),
                estimate((e.task, constraints[e.key]) for e in own if constraints[e.key]),
            )
        )
    return Sheet(
        name="tasks",
        title="Tasks by revision type",
        columns=(
            Column(name="type", head="revision type"),
            Column(name="tasks", head="tasks", form=Form.COUNT),
            Column(name="templates", head="templates", form=Form.COUNT),
            Column(name="revisions", head="revisions /task", form=Form.NUMBER, digits=2),
            Column(name="constraints", head="constraints /task", form=Form.NUMBER, digits=2),
        ),
        rows=tuple(rows),
        notes=("Constraints that are in force after all revisions",),
    )


def _episodes(runs: Runs) -> Sheet:
    statuses = ordered((e.status.value for _, own in runs for e in own.episodes), ("done", "infeasible", "budget"))
    return Sheet(
        name="episodes",
        title="How episodes ended",
        columns=(
            RUN,
            Column(name="episodes", head="episodes", form=Form.COUNT),
            *(Column(name=s, head=s.replace("_", " "), form=Form.COUNT) for s in statuses),
        ),
        rows=tuple(
            (name, len(own.episodes), *(sum(e.status.value == s for e in own.episodes) for s in statuses))
            for name, own in runs
        ),
    )


def _pairs(runs: Runs) -> Sheet:
    found = [(name, settings_but(own.runs[0], _WHO), outcomes(own)) for name, own in runs]
    alike = [(a, b) for a, b in combinations(found, 2) if a[1] == b[1]]
    pairs = [(a, b, paired(one, two)) for (a, _, one), (b, _, two) in alike]
    pairs = [(a, b, pair) for a, b, pair in pairs if pair.tasks]
    adjusted: Sequence[float] = holm([pair.p for _, _, pair in pairs])
    return Sheet(
        name="pairs",
        title="Pairs of runs, on the tasks that both have",
        columns=(
            Column(name="first", head="first"),
            Column(name="second", head="second"),
            Column(name="tasks", head="tasks", form=Form.COUNT),
            Column(name="score", head="Δ\u00a0Score", form=Form.NUMBER, digits=3, signed=True),
            *(Column(name=n, head=n, form=Form.COUNT) for n in ("better", "worse", "won", "lost")),
            Column(name="p", head="p", form=Form.NUMBER, digits=3),
            Column(name="p_holm", head="p\u00a0(Holm)", form=Form.NUMBER, digits=3),
        ),
        rows=tuple(
            (a, b, pair.tasks, pair.score, pair.better, pair.worse, pair.won, pair.lost, pair.p, p)
            for (a, b, pair), p in zip(pairs, adjusted, strict=True)
        ),
        notes=(
            "Runs that differ in agent or model alone, seed and all else being the same",
            "Second less first. Better, worse: tasks by score; won, lost: tasks wholly satisfied more, less often",
            "p: exact McNemar test over won and lost; Holm-corrected over all pairs",
        ),
    )
