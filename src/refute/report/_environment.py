"""How templates are filled: always escaped, with the formats of figures in one place."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import Any

import jinja2

from refute.metrics import Estimate
from refute.report._assets import asset, policy
from refute.report._episode import headline
from refute.report._summary import SIMULATED, number, percent

_LONG = 6000
"""Letters of a message that a page shows; the trace keeps the rest."""


@cache
def environment() -> jinja2.Environment:
    """Templates with autoescape on: whatever comes from a page or a model is text."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("refute.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = {
        "bounds": _bounds,
        "clip": _clip,
        "duration": _duration,
        "number": number,
        "json": _json,
        "percent": percent,
        "share": _share,
        "signed": _signed,
        "thousands": _thousands,
        "words": _words,
    }
    names: dict[str, Any] = {
        "SIMULATED": SIMULATED,
        "asset": asset,
        "headline": headline,
        "plural": _plural,
        "policy": partial(policy, "theme.js"),
    }
    made.filters.update(filters)
    made.globals.update(names)
    return made


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _thousands(value: float | None) -> str:
    if value is None:
        return "–"
    if value < 1000:
        return f"{value:.0f}"
    return f"{value / 1000:.1f}k" if value < 99_950 else f"{value / 1000:.0f}k"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min"


def _clip(text: str, letters: int = _LONG) -> str:
    """Cut; a long text says how much the trace still holds, a label just ends in an ellipsis."""
    if len(text) <= letters:
        return text
    return (
        f"{text[:letters]} … ({len(text) - letters} more characters in the trace)"
        if letters >= 1000
        else f"{text[:letters]}…"
    )


def _bounds(estimate: Estimate, digits: int = 2, scale: float = 1.0) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.low * scale:.{digits}f} – {estimate.high * scale:.{digits}f}"


def _share(value: float) -> str:
    """A share as a CSS length, whatever the trace claims."""
    return f"{100 * min(1.0, max(0.0, value)):.1f}%"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}".replace("-", "−")


def _plural(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _words(name: str) -> str:
    return name.replace("_", " ")
