"""A view on the terminal. Whatever came from a file is text there: no mark-up, no control characters."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from refute.report.views._cells import for_people, plain, write_cell
from refute.report.views._view import Cell, Column, Form, Sheet, View


def terminal(view: View) -> RenderableType:
    """The tables below each other, their notes, and at the end what they rest on."""
    parts: list[RenderableType] = [Text(view.title, style="bold")]
    for sheet in map(for_people, view.sheets):
        parts += [Text(""), _heading(sheet, simulated=view.facts.simulated), _Fitted(sheet)]
        parts += [Text(f"{plain(note)}.", style="dim") for note in sheet.notes]
    parts += [Text(f"Not here: {plain(what)} ({plain(why)}).", style="yellow") for what, why in view.missing.items()]
    line = view.facts.line
    return Group(*parts, Text(""), Text(f"{line[:1].upper()}{line[1:]}.", style="dim"))


def _heading(sheet: Sheet, *, simulated: bool) -> Text:
    kind = "as the authors report" if sheet.published else "simulated" if simulated else ""
    return Text.assemble((plain(sheet.title), "bold"), (f"  {kind}", "yellow"))


class _Fitted:
    """A table, which a narrow terminal shows in another form: figures in parts below each other, each with the names of
    its rows; rows that are mostly words one by one."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        texts = [place for place, column in enumerate(self._sheet.columns) if column.form is Form.TEXT]
        others = [place for place in range(len(self._sheet.columns)) if place not in texts]
        if self._fits(range(len(self._sheet.columns)), console, options):
            yield _table(self._sheet, range(len(self._sheet.columns)))
        elif self._width(texts, console, options) > options.max_width // 2:
            yield from (_record(self._sheet, row) for row in self._sheet.rows)
        else:
            while others:
                part = others[:1]
                while len(part) < len(others) and self._fits((*texts, *others[: len(part) + 1]), console, options):
                    part = others[: len(part) + 1]
                yield _table(self._sheet, (*texts, *part))
                others = others[len(part) :]

    def _width(self, places: Sequence[int], console: Console, options: ConsoleOptions) -> int:
        return Measurement.get(console, options.update(max_width=10_000), _table(self._sheet, places)).minimum

    def _fits(self, places: Sequence[int], console: Console, options: ConsoleOptions) -> bool:
        return self._width(places, console, options) <= options.max_width


def _table(sheet: Sheet, places: Sequence[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    columns = [sheet.columns[place] for place in places]
    for column in columns:
        if column.form is Form.TEXT:  # names may fold, figures never
            table.add_column(Text(plain(column.head)), overflow="fold", min_width=min(16, _widest(sheet, column)))
        else:
            head = "\n".join(plain(word) for word in column.head.split(" "))
            table.add_column(Text(head), justify="right", no_wrap=True)
    for row in sheet.rows:
        table.add_row(*(_cell(row[place], sheet.columns[place]) for place in places))
    return table


def _record(sheet: Sheet, row: Sequence[Cell]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for cell, column in zip(row, sheet.columns, strict=True):
        table.add_row(Text(plain(column.head)), _cell(cell, column))
    table.add_row()
    return table


def _widest(sheet: Sheet, column: Column) -> int:
    place = sheet.columns.index(column)
    return max(
        len(text) for text in (plain(column.head), *(write_cell(row[place], column).value for row in sheet.rows))
    )


def _cell(cell: Cell, column: Column) -> Text:
    written = write_cell(cell, column)
    return Text.assemble(written.value, (f"\n{written.interval}", "dim") if written.interval else "")
