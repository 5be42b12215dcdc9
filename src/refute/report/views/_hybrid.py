"""Tables of the hybrid trigger: what it saved, and what it would have saved where the model was always asked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from refute.metrics import asking, same_revisions, screened
from refute.report.views._alike import settings_but
from refute.report.views._tables import RUN, Runs
from refute.report.views._view import Cell, Column, Form, Sheet
from refute.revisions import Screen, TriggerMode
from refute.tables import Tables

_DEFAULT = Screen()
THRESHOLDS = tuple(sorted({_DEFAULT.threshold, 0.1, 0.3, 0.4, 0.5, 0.6}))
"""Thresholds that the rule is replayed with."""
_WAY = ("trigger", "screen")


def hybrid_sheets(tables: Tables, runs: Runs) -> tuple[Sheet, ...]:
    """Of the runs that asked by a screen, and of those whose looks have a score to replay one on."""
    return tuple(sheet for sheet in (_online(tables, runs), _replay(runs)) if sheet.rows)


def _online(tables: Tables, runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for (name, own), run in zip(runs, tables.runs, strict=True):
        own = _counted(own)
        found = asking(own.triggers)
        if not found.looks:
            continue
        alike = {
            other.run
            for other in tables.runs
            if other.trigger == TriggerMode.MILESTONE and settings_but(other, _WAY) == settings_but(run, _WAY)
        }
        others = chain.from_iterable(_counted(tables.run(each)).deliveries for each in alike)
        same = same_revisions(own.deliveries, others)
        pairs: Sequence[Cell] = (same.revisions, same.same, same.later, same.earlier, same.missing)
        rows.append((name, found.looks, found.asked, found.saved, *(pairs if same.revisions else [None] * 5)))
    return Sheet(
        name="hybrid",
        title="The hybrid trigger: calls saved, and deliveries beside those of the model alone",
        columns=(
            RUN,
            Column(name="looks", head="looks", form=Form.COUNT),
            Column(name="asked", head="asked", form=Form.COUNT),
            Column(name="saved", head="saved", form=Form.PERCENT, digits=1),
            Column(name="revisions", head="revisions", form=Form.COUNT),
            Column(name="same", head="same step", form=Form.COUNT),
            Column(name="later", head="later", form=Form.COUNT),
            Column(name="earlier", head="earlier", form=Form.COUNT),
            Column(name="missing", head="in one only", form=Form.COUNT),
        ),
        rows=tuple(rows),
        notes=(
            "Beside the run with the trigger milestone and otherwise equal settings",
            "In one only: the other never delivered the revision, or only when an early done forced it",
        ),
    )


def _replay(runs: Runs) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, own in runs:
        own = _counted(own)
        for threshold in THRESHOLDS:
            found = screened(own.triggers, own.episodes, _DEFAULT.model_copy(update={"threshold": threshold}))
            if found.looks:
                counts = (found.looks, found.asked, found.saved, found.same, found.later, found.at_end)
                rows.append((name, threshold, *counts, found.agreement))
    return Sheet(
        name="hybrid-replay",
        title="What the hybrid trigger would have saved",
        columns=(
            RUN,
            Column(name="threshold", head="threshold", form=Form.NUMBER, digits=2),
            Column(name="looks", head="looks", form=Form.COUNT),
            Column(name="asked", head="asked", form=Form.COUNT),
            Column(name="saved", head="saved", form=Form.PERCENT, digits=1),
            Column(name="same", head="same look", form=Form.COUNT),
            Column(name="later", head="later", form=Form.COUNT),
            Column(name="at_end", head="at the end", form=Form.COUNT),
            Column(name="agreement", head="agreement", form=Form.PERCENT, digits=1),
        ),
        rows=tuple(rows),
        notes=(
            f"Its rule on the looks of runs that always asked, with a patience of {_DEFAULT.patience}: where the "
            "model's yes came, the rule asks at the same look, later, or when the agent is done. Later is at most this "
            "often: without the revision an episode may end sooner",
        ),
    )


def _counted(tables: Tables) -> Tables:
    return tables.only({episode.key for episode in tables.episodes if episode.status.counted})
