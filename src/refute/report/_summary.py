"""The main figures as one object (`--json`) and as a table for the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from refute.metrics import Estimate, Measures, measure
from refute.revisions import Deliver
from refute.tables import RunRow, Tables, read_tables

SIMULATED = (
    "simulated model: these figures show what the machinery notices, delivers, judges and counts, "
    "not how good a language model is"
)


def summary(source: Path | Tables) -> dict[str, Any]:
    """The main figures of all runs below a folder, overall and per run. Raises `UserError` when there are none.

    Keys, overall and again in each object of `runs`:

    - `n`: episodes in the means; `tasks`: tasks among them; `episodes`: all episodes, whatever their end
    - `errors` (harness errors and unreadable traces), `unfinished`, `unjudged`: episodes outside the means
    - `score`, `score_unforced`, `tsr`, `ce_steps`: in [0, 1]; `mffr`: in rounds; `without_failure`: the share of tasks
      in which no round fails; `css`: an object with the keys `"0"` to `"3"` and `"4+"`; `steps`, `tokens`: means per
      episode. A figure is null when no episode counts.
    - `intervals`: for each of these figures `[low, high]` at 95 %, or null with fewer than two tasks
    - `revisions`, `delivered`, `forced`: totals over the counted episodes
    - `simulated`: whether a simulated model took part

    In each object of `runs` also `run`, `suite`, `agent`, `model`, `deliver`, `strategy`, `trigger`, `seed`, `created`
    and `error` (why ``run.json`` could not be used, else empty).
    """
    tables = source if isinstance(source, Tables) else read_tables(source)
    return {
        **_figures(measure(tables)),
        "simulated": tables.simulated,
        "runs": [{**_identity(run), **_figures(measure(tables.run(run.run)))} for run in tables.runs],
    }


def summary_table(figures: Mapping[str, Any]) -> Table:
    """What `summary` returned, as a table: a row a run."""
    note = _note(figures)
    table = Table(
        box=box.SIMPLE_HEAD,
        caption=f"{SIMULATED}\n{note}" if figures["simulated"] else note,
        caption_justify="left",
        padding=(0, 1, 0, 0),
        pad_edge=False,
        title="simulated" if figures["simulated"] else None,
        title_style="bold yellow",
    )
    table.add_column("agent · model", overflow="fold", min_width=14)
    for name in ("n", "Score", "unforced", "TSR", "MFFR", "CE", "steps", "errors"):
        table.add_column(name, justify="right", no_wrap=True)
    for run in figures["runs"]:
        table.add_row(
            _plain(f"{run['agent']} · {run['model']}") + f"\n[dim]{_plain(_how(run))}[/]",
            str(run["n"]),
            f"{number(run['score'], 3)}\n[dim]{_interval(run['intervals']['score'])}[/]",
            number(run["score_unforced"], 3),
            percent(run["tsr"]),
            number(run["mffr"], 2),
            number(run["ce_steps"], 3),
            number(run["steps"], 1),
            str(run["errors"]) + (f" +{run['unfinished']} open" if run["unfinished"] else ""),
        )
    return table


def summary_markdown(figures: Mapping[str, Any]) -> str:
    """What `summary` returned, as a table in Markdown: a row a run."""
    heads = (
        "agent · model",
        "how",
        "n",
        "Score",
        "without forced",
        "TSR",
        "MFFR",
        "CE",
        "steps",
        "errors",
        "unfinished",
    )
    rows = [
        (
            _cell(f"{run['agent']} · {run['model']}"),
            _cell(_how(run)),
            str(run["n"]),
            f"{number(run['score'], 3)} {_brackets(run['intervals']['score'])}".strip(),
            number(run["score_unforced"], 3),
            percent(run["tsr"]),
            number(run["mffr"], 2),
            number(run["ce_steps"], 3),
            number(run["steps"], 1),
            str(run["errors"]),
            str(run["unfinished"]),
        )
        for run in figures["runs"]
    ]
    lines = [heads, ("---", "---", *["---:"] * (len(heads) - 2)), *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    simulated = f"**Simulated.** {SIMULATED.capitalize()}.\n\n" if figures["simulated"] else ""
    return f"{simulated}{table}\n\n{_note(figures)}.\n"


def number(value: float | None, digits: int) -> str:
    """A figure with so many decimals; a dash when there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def percent(value: float | None) -> str:
    """A share as a percentage; a dash when there is none."""
    return "–" if value is None else f"{100 * value:.1f}%"


def _plain(text: str) -> str:
    """A name from a file: neither markup nor control sequences for the terminal."""
    return escape("".join(c if c.isprintable() else "?" for c in text))


def _cell(text: str) -> str:
    """A name from a file as plain text in a Markdown table."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return re.sub(r"([\\`*_{}\[\]<>()#!|~&])", r"\\\1", clean)


def _note(figures: Mapping[str, Any]) -> str:
    return f"n episodes count; 95 % intervals from a bootstrap over tasks{_left_out(figures)}"


def _how(run: Mapping[str, Any]) -> str:
    way = f"{run['trigger']}, {run['strategy']}" if run["deliver"] == Deliver.DURING else f"deliver {run['deliver']}"
    return f"{way}, seed {run['seed']}"


def _interval(bounds: list[float] | None) -> str:
    return "" if bounds is None else f"{bounds[0]:.2f}–{bounds[1]:.2f}"


def _brackets(bounds: list[float] | None) -> str:
    return "" if bounds is None else f"[{_interval(bounds)}]"


def _left_out(figures: Mapping[str, Any]) -> str:
    parts = [f"{figures[name]} {name}" for name in ("errors", "unfinished", "unjudged") if figures[name]]
    return f"; left out: {', '.join(parts)}" if parts else ""


def _identity(run: RunRow) -> dict[str, Any]:
    names = (
        "run",
        "suite",
        "agent",
        "model",
        "strategy",
        "deliver",
        "trigger",
        "seed",
        "simulated",
        "created",
        "error",
    )
    return {name: getattr(run, name) for name in names}


def _figures(m: Measures) -> dict[str, Any]:
    estimates = {
        "score": m.score,
        "score_unforced": m.score_unforced,
        "tsr": m.tsr,
        "mffr": m.mffr,
        "without_failure": m.without_failure,
        "ce_steps": m.ce_steps,
        "steps": m.steps,
        "tokens": m.tokens,
    }
    return {
        "n": m.counts.n,
        "tasks": m.counts.tasks,
        "episodes": m.counts.episodes,
        "errors": m.counts.errors,
        "unfinished": m.counts.unfinished,
        "unjudged": m.counts.unjudged,
        **{name: e.value for name, e in estimates.items()},
        "css": {k: e.value for k, e in m.css.items()},
        "intervals": {
            **{name: _bounds(e) for name, e in estimates.items()},
            "css": {k: _bounds(e) for k, e in m.css.items()},
        },
        "revisions": m.counts.revisions,
        "delivered": m.counts.delivered,
        "forced": m.counts.forced,
    }


def _bounds(estimate: Estimate) -> list[float] | None:
    if estimate.low is None or estimate.high is None:
        return None
    return [estimate.low, estimate.high]
