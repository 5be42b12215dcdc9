"""A published table as a sheet that says whose figures they are."""

from __future__ import annotations

from refute.report._published import Paper, published
from refute.report.views._view import Column, Form, Sheet


def reported(paper: Paper, table: str) -> Sheet:
    """The figures of `paper`'s `table` as its authors report them, with as many decimals as they give."""
    found = published(paper, table)
    columns = [Column(name="row", head="as published")]
    for place, head in enumerate(found.columns):
        digits = max(_decimals(row[place]) for row in found.rows.values())
        columns.append(Column(name=head, head=head, form=Form.NUMBER, digits=digits))
    return Sheet(
        name=f"{paper}-{table}",
        title=f"{paper}, {found.source}",
        columns=tuple(columns),
        rows=tuple((name, *values) for name, values in found.rows.items()),
        notes=("The authors' own figures, of other agents, models and tasks: nothing here was measured by this tool",),
        published=True,
    )


def _decimals(value: float | None) -> int:
    return 0 if value is None or value == int(value) else len(str(value).partition(".")[2])
