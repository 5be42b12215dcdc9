"""A view on the terminal. Whatever came from a file is text there: no mark-up, no control characters."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from refute.report.views._cells import for_people, plain, write_cell
from refute.report.views._view import Cell, Column, Form, Sheet, View


def terminal(view: View) -> RenderableType:
    """The tables below each other, their notes, and at the end what they rest on."""
    parts: list[RenderableType] = [Text(view.title, style="bold")]
    for sheet in map(for_people, view.sheets):
        parts += [Text(""), _heading(sheet, simulated=view.facts.simulated), _table(sheet)]
        parts += [Text(f"{plain(note)}.", style="dim") for note in sheet.notes]
    parts += [Text(f"Not here: {plain(what)} ({plain(why)}).", style="yellow") for what, why in view.missing.items()]
    line = view.facts.line
    return Group(*parts, Text(""), Text(f"{line[:1].upper()}{line[1:]}.", style="dim"))


def _heading(sheet: Sheet, *, simulated: bool) -> Text:
    kind = "as the authors report" if sheet.published else "simulated" if simulated else ""
    return Text.assemble((plain(sheet.title), "bold"), (f"  {kind}", "yellow"))


def _table(sheet: Sheet) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column in sheet.columns:
        if column.form is Form.TEXT:  # names may fold, figures never
            table.add_column(Text(plain(column.head)), overflow="fold", min_width=min(16, _widest(sheet, column)))
        else:
            head = "\n".join(plain(word) for word in column.head.split(" "))
            table.add_column(Text(head), justify="right", no_wrap=True)
    for row in sheet.rows:
        table.add_row(*(_cell(cell, column) for cell, column in zip(row, sheet.columns, strict=True)))
    return table


def _widest(sheet: Sheet, column: Column) -> int:
    place = sheet.columns.index(column)
    return max(
        len(text) for text in (plain(column.head), *(write_cell(row[place], column).value for row in sheet.rows))
    )


def _cell(cell: Cell, column: Column) -> Text:
    written = write_cell(cell, column)
    return Text.assemble(written.value, (f"\n{written.interval}", "dim") if written.interval else "")
