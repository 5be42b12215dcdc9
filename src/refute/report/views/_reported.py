"""A published table as a sheet that says whose figures they are."""

from __future__ import annotations

from refute.report._published import Paper, published
from refute.report.views._view import Column, Form, Sheet


def reported(paper: Paper, table: str, *, digits: int = 1) -> Sheet:
    """The figures of `paper`'s `table` as its authors report them."""
    found = published(paper, table)
    columns = [Column(name="row", head="as published")]
    columns += [Column(name=head, head=head, form=Form.NUMBER, digits=digits) for head in found.columns]
    return Sheet(
        name=f"{paper}-{table}",
        title=f"{paper}, {found.source}",
        columns=tuple(columns),
        rows=tuple((name, *values) for name, values in found.rows.items()),
        notes=("The authors' own figures, of other agents, models and tasks: nothing here was measured by this tool",),
        published=True,
    )
