"""What all views share: what they rest on, and the names of the runs."""

from __future__ import annotations

from collections.abc import Iterable

from refute._errors import UserError
from refute.metrics import Outcome, count, outcomes
from refute.report._compare import run_names
from refute.report.views._view import Column, Facts, Form
from refute.tables import Tables

RUN = Column(name="run", head="run")
"""The first column of most tables."""
N = Column(name="n", head="n", form=Form.COUNT)
"""Counted episodes."""


def facts(tables: Tables) -> Facts:
    """What figures made from `tables` rest on."""
    counts = count(tables)
    return Facts(
        simulated=tables.simulated,
        episodes=counts.episodes,
        counted=counts.n,
        tasks=counts.tasks,
        seeds=tuple(sorted({run.seed for run in tables.runs if run.seed is not None})),
        errors=counts.errors,
        unfinished=counts.unfinished,
        unjudged=counts.unjudged,
    )


def percent_column(name: str, head: str, *, digits: int = 0) -> Column:
    """A column of shares."""
    return Column(name=name, head=head, form=Form.PERCENT, digits=digits)


Runs = tuple[tuple[str, Tables], ...]
"""Each run's name and rows."""


def each_run(tables: Tables) -> Runs:
    """Each run's name for people, which no two share, and its rows; in the order of the tables."""
    names = run_names(tables.runs)
    return tuple((name, tables.run(run.run)) for name, run in zip(names, tables.runs, strict=True))


def ordered(values: Iterable[str], first: Iterable[str]) -> tuple[str, ...]:
    """The distinct `values`: those named in `first` in that order, then the others by name."""
    found = set(values)
    known = [value for value in first if value in found]
    return (*known, *sorted(found - set(known)))


def judged_runs(tables: Tables) -> tuple[tuple[str, tuple[Outcome, ...]], ...]:
    """Each run's name and its counted episodes; runs without any are left out."""
    return tuple((name, found) for name, own in each_run(tables) if (found := outcomes(own)))


def finished(tables: Tables) -> int:
    """Episodes that the agent ended, whether or not their truth is known."""
    return sum(e.status.counted for e in tables.episodes)


def reference_run(tables: Tables, runs: Runs, wanted: str) -> tuple[str, Tables] | None:
    """The run that others are measured against: the one that `wanted` names (a run's folder or name, or an agent), else
    the first of ``react``, else the first. Raises `UserError` when no run is meant by `wanted`."""
    rows = list(zip(runs, tables.runs, strict=True))
    if wanted:
        for run, row in rows:
            if wanted in (row.run, run[0], row.agent):
                return run
        known = ", ".join(dict.fromkeys(row.agent or row.run for _, row in rows))
        raise UserError(f"no run is called {wanted!r} and none is of such an agent; there are: {known}")
    plain = [run for run, row in rows if row.agent == "react"]
    return next(iter(plain or runs), None)
