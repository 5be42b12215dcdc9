"""The lexical matcher, and for what it leaves open the lines that come closest: words first, then meaning."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from refute.evidence._lexical import lexical
from refute.evidence._models import Embedder
from refute.evidence._select import closest_lines
from refute.evidence._verdict import Label, Verdict

_CANDIDATES = 4
"""Lines by their words, for each open statement: only these are embedded, since a page has hundreds."""
_READ = 120
"""Characters of a line that are embedded: a long one, such as a table's row, costs as much as twenty short ones."""
_SHOWN = 3
_FAINT = 0.05
"""The most that closeness adds to support: enough to order what is open, far too little to decide or to route."""


class HybridScorer:
    """Decides by the rules of the lexical matcher alone.

    A statement that they leave open gets the lines that the page has on its subject, for whoever decides, and a trace
    of support by how close they come, so that open statements have an order.
    """

    def __init__(self, embedder: Callable[[], Embedder]) -> None:
        """`embedder` opens the model; it is called when the rules first leave something open."""
        self._embedder = embedder

    @property
    def name(self) -> str:
        """What the trace calls it."""
        return "hybrid"

    async def score(self, text: str, statements: Sequence[str]) -> tuple[Verdict, ...]:
        """See `TextScorer`; embeds in a thread. Raises `LocalModelError`."""
        verdicts = {statement: lexical(text, statement) for statement in statements}
        left = [s for s, verdict in verdicts.items() if verdict.label is Label.UNKNOWN]
        if left:
            verdicts |= await asyncio.to_thread(self._lines, text, {s: verdicts[s] for s in left})
        return tuple(verdicts[statement] for statement in statements)

    def _lines(self, text: str, left: dict[str, Verdict]) -> dict[str, Verdict]:
        """The open verdicts with the closest lines."""
        near = {s: [line.strip() for line in closest_lines(text, s, most=_CANDIDATES)] for s in left}
        asked = list(dict.fromkeys([*left, *(line[:_READ] for lines in near.values() for line in lines)]))
        rows = dict(zip(asked, self._embedder().embed(asked), strict=True))
        close = {s: [float(rows[s] @ rows[line[:_READ]]) for line in lines] for s, lines in near.items()}
        return {s: _with_lines(verdict, near[s], close[s]) for s, verdict in left.items()}


def _with_lines(verdict: Verdict, lines: list[str], closeness: list[float]) -> Verdict:
    if not lines:
        return verdict
    order = sorted(range(len(lines)), key=lambda place: -closeness[place])
    best = [lines[place] for place in order[:_SHOWN]]
    faint = round(_FAINT * max(0.0, *closeness), 4)
    shown = verdict.lines or tuple(best)
    return verdict.model_copy(update={"support": max(verdict.support, faint), "lines": shown})
