"""A view as LaTeX: tables for ``booktabs``, every special character escaped."""

from __future__ import annotations

import re

from refute.report.views._cells import for_people, plain, write_cell
from refute.report.views._view import Cell, Column, Facts, Form, Sheet, View

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "[": "{[}",  # after a line's end a bare one would be taken for its argument
    "]": "{]}",
    "*": "{*}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "−": r"$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "Δ": r"$\Delta$",
    "κ": r"$\kappa$",
}


def latex(view: View) -> str:
    r"""One ``table`` environment a sheet. Needs ``\usepackage{booktabs}``."""
    head = f"% {plain(view.title)}: needs \\usepackage{{booktabs}}\n"
    return head + "\n".join(_sheet(for_people(sheet), view) for sheet in view.sheets)


def escape(text: str) -> str:
    """A text that LaTeX prints as it is."""
    return "".join(_SPECIAL.get(c, c) for c in plain(text))


def _slug(text: str) -> str:
    """A text as part of a label, which takes no special characters."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")


def _sheet(sheet: Sheet, view: View) -> str:
    places = "".join("l" if column.form is Form.TEXT else "r" for column in sheet.columns)
    lines = [
        r"\begin{table}[t]",
        r"\centering\small",
        rf"\caption{{{_caption(sheet, view.facts)}}}",
        rf"\label{{tab:refute-{_slug(view.name)}-{_slug(sheet.name)}}}",
        rf"\begin{{tabular}}{{@{{}}{places}@{{}}}}",
        r"\toprule",
        " & ".join(escape(column.head) for column in sheet.columns) + r" \\",
        r"\midrule",
        *(" & ".join(_cell(c, col) for c, col in zip(row, sheet.columns, strict=True)) + r" \\" for row in sheet.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _caption(sheet: Sheet, facts: Facts) -> str:
    if sheet.published:
        first = "As the authors report, not measured here."
    else:
        first = (r"\textbf{Simulated.} " if facts.simulated else "") + escape(f"{facts.line}.")
    return " ".join((escape(f"{sheet.title}."), first, *(escape(f"{note}.") for note in sheet.notes)))


def _cell(cell: Cell, column: Column) -> str:
    written = write_cell(cell, column)
    value = escape(written.value)
    return rf"{value} {{\scriptsize[{escape(written.interval)}]}}" if written.interval else value
