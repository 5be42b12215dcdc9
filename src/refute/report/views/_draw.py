"""Figures as SVG, PNG and PDF, by matplotlib, which is loaded only here.

A figure is one column of a paper wide. Colours are those of Okabe and Ito, which people with any colour vision tell
apart; line styles, markers and hatches say the same a second time. Text is drawn as outlines (SVG) or with its fonts
embedded (PDF), so that a figure looks alike everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from io import StringIO
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from refute._errors import UserError
from refute.report.views._cells import plain
from refute.report.views._inline import for_page
from refute.report.views._view import Facts, Figure, Series, Shape, View

FORMS = ("svg", "png", "pdf")
WIDTH = 3.35
"""Inches: one of two columns."""
TONES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_INK = "#33393e"
_INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
_HATCHES = ("", "////", "----", "xxxx", "\\\\\\\\", "++++", "||||")
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2)), (0, (3, 1)), (0, (2, 3)))
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.linewidth": 0.6,
    "axes.labelsize": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#e3e6e8",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "hatch.linewidth": 0.5,
    "legend.fontsize": 6.3,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "refute",
    "text.parse_math": False,
}


def write_figures(view: View, folder: Path) -> tuple[Path, ...]:
    """Draw all figures of `view` into `folder`, each as SVG, PNG and PDF; the files.

    Raises `UserError` when matplotlib is not installed, or when a file cannot be written.
    """
    written: list[Path] = []
    for figure, sheet in _drawn(view, _STYLE):
        _caption(sheet, figure, view.facts)
        written += _save(sheet, folder / f"{view.name}-{figure.name}")
    return tuple(written)


def drawings(view: View) -> Mapping[str, str]:
    """All figures of `view` as SVG for a page, by name: without a caption, which stands beside them there, with text as
    text, and with the variables of the page's style for colours.

    Raises `UserError` when matplotlib is not installed.
    """
    found: dict[str, str] = {}
    for figure, sheet in _drawn(view, {**_STYLE, "svg.fonttype": "none", **dict.fromkeys(_INKED, _INK)}):
        file = StringIO()
        sheet.savefig(file, format="svg", transparent=True, metadata={"Date": None})
        found[figure.name] = for_page(file.getvalue(), f"{view.name}-{figure.name}-")
    return found


def _drawn(view: View, style: dict[str, Any]) -> Iterator[tuple[Figure, Any]]:
    """Each figure of `view`, drawn."""
    try:
        matplotlib = import_module("matplotlib")
        canvas = import_module("matplotlib.backends.backend_agg").FigureCanvasAgg
        new = import_module("matplotlib.figure").Figure
    except ImportError as error:
        raise UserError('figures need matplotlib: pip install "refute[figures]"; tables do without') from error
    for figure in view.figures:
        with matplotlib.rc_context(style):
            sheet: Any = new(figsize=(WIDTH, _height(figure)), layout="constrained")
            canvas(sheet)
            axes: Any = sheet.subplots()
            _DRAW[figure.shape](axes, figure)
            axes.set_xlabel(plain(figure.x_label))
            axes.set_ylabel(plain(figure.y_label))
            yield figure, sheet


def _save(sheet: Any, stem: Path) -> Iterator[Path]:
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        for form in FORMS:
            path = stem.with_name(f"{stem.name}.{form}")
            # Without a date the same figures give the same file.
            when = {"Date": None} if form == "svg" else {"CreationDate": None} if form == "pdf" else {}
            sheet.savefig(path, format=form, dpi=300, metadata=when)
            yield path
    except OSError as error:
        raise UserError(f"cannot write the figure {stem}: {error.strerror}; choose another --figures") from error


def _height(figure: Figure) -> float:
    """Inches: every series has its line in the legend without the drawing getting smaller."""
    legend = 0.12 * (-(-len(figure.series) // _legend_columns(figure)))
    if figure.shape in (Shape.ROWS, Shape.FOREST):
        return 0.85 + legend + len(figure.categories) * (0.1 + 0.12 * max(1, len(figure.series)))
    return 2.3 + legend


def _legend_columns(figure: Figure) -> int:
    """Two where two names fit beside each other."""
    room = 14 if figure.shape in (Shape.ROWS, Shape.FOREST) else 20
    return 2 if max((len(s.name) for s in figure.series), default=0) <= room else 1


def _caption(sheet: Any, figure: Figure, facts: Facts) -> None:
    """Title and what the figure rests on."""
    sheet.suptitle(fill(plain(figure.title), 58), fontsize=7.5, fontweight="bold", x=0.01, ha="left")
    line = f"{facts.line[:1].upper()}{facts.line[1:]}."
    note = f"{figure.note}. {line}" if figure.note else line
    sheet.supxlabel(fill(note, 92), fontsize=5, color="#59636b", x=0.01, ha="left")


def _legend(axes: Any, figure: Figure) -> None:
    if len(figure.series) > 1:
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=_legend_columns(figure),
            borderaxespad=0.2,
            handlelength=2.2,
            columnspacing=1.2,
            labelspacing=0.3,
        )


def _tone(number: int, series: Series) -> int:
    return (number if series.tone is None else series.tone) % len(TONES)


class _Point(NamedTuple):
    """A value that is known, in drawing units, with how far its interval reaches."""

    place: int
    value: float
    below: float
    above: float


def _from_zero(axes: Any, figure: Figure) -> None:
    """The values' axis starts at zero, and shares leave room above 100 per cent for what is drawn there."""
    top = max((p.value + p.above for s in figure.series for p in _points(s, figure)), default=0.0)
    axes.set_ylim(0, 104 if figure.percent and top > 96 else None)


def _points(series: Series, figure: Figure) -> list[_Point]:
    scale = 100.0 if figure.percent else 1.0
    found: list[_Point] = []
    for place, y in enumerate(series.y):
        if y.value is None:
            continue
        low, high = (y.value if bound is None else bound for bound in (y.low, y.high))
        found.append(_Point(place, scale * y.value, scale * max(0.0, y.value - low), scale * max(0.0, high - y.value)))
    return found


def _whiskers(points: Sequence[_Point]) -> list[list[float]]:
    return [[p.below for p in points], [p.above for p in points]]


def _bars(axes: Any, figure: Figure) -> None:
    width = 0.8 / max(1, len(figure.series))
    for number, series in enumerate(figure.series):
        tone, points = _tone(number, series), _points(series, figure)
        shift = (number - (len(figure.series) - 1) / 2) * width
        axes.bar(
            [p.place + shift for p in points],
            [p.value for p in points],
            width * 0.92,
            yerr=_whiskers(points),
            error_kw={"elinewidth": 0.7, "capsize": 1.2, "capthick": 0.7, "ecolor": "#33393e"},
            color=TONES[tone],
            edgecolor="white",
            hatch=_HATCHES[tone],
            linewidth=0.4,
            label=plain(series.name),
        )
    axes.set_xticks(range(len(figure.categories)), [plain(c) for c in figure.categories])
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y")
    _from_zero(axes, figure)
    _legend(axes, figure)


def _rows(axes: Any, figure: Figure) -> None:
    height = 0.8 / max(1, len(figure.series))
    longest = max((p.value for s in figure.series for p in _points(s, figure)), default=0) or 1
    for number, series in enumerate(figure.series):
        tone, points = _tone(number, series), _points(series, figure)
        places = [p.place + (number - (len(figure.series) - 1) / 2) * height for p in points]
        axes.barh(
            places,
            [p.value for p in points],
            height * 0.9,
            color=TONES[tone],
            edgecolor="white",
            hatch=_HATCHES[tone],
            linewidth=0.4,
            label=plain(series.name),
        )
        for place, point in zip(places, points, strict=True):
            text = f"{point.value:.1f} %" if figure.percent else f"{point.value:.1f}"
            axes.text(point.value + 0.012 * longest, place, text, va="center", fontsize=6, color="#33393e")
    axes.set_yticks(range(len(figure.categories)), [plain(c) for c in figure.categories])
    axes.set_ylim(len(figure.categories) - 0.45, -0.55)
    axes.set_xlim(0, longest * 1.16)
    axes.tick_params(axis="y", length=0)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    _legend(axes, figure)


def _forest(axes: Any, figure: Figure) -> None:
    height = 0.7 / max(1, len(figure.series))
    axes.axvline(0, color="#33393e", linewidth=0.7)
    for number, series in enumerate(figure.series):
        tone, points = _tone(number, series), _points(series, figure)
        axes.errorbar(
            [p.value for p in points],
            [p.place + (number - (len(figure.series) - 1) / 2) * height for p in points],
            xerr=_whiskers(points),
            fmt=_MARKS[tone],
            color=TONES[tone],
            markersize=3.5,
            elinewidth=0.9,
            capsize=1.5,
            label=plain(series.name),
        )
    axes.set_yticks(range(len(figure.categories)), [plain(c) for c in figure.categories])
    axes.set_ylim(len(figure.categories) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    _legend(axes, figure)


def _lines(axes: Any, figure: Figure) -> None:
    for number, series in enumerate(figure.series):
        tone, points = _tone(number, series), _points(series, figure)
        xs, ys = [series.x[p.place] for p in points], [p.value for p in points]
        look = {"color": TONES[tone], "linestyle": _DASHES[1] if series.dashed else _DASHES[0], "linewidth": 1.2}
        if figure.shape is Shape.STEPS:
            end = figure.x_limit if figure.x_limit is not None else max(xs, default=0.0)
            shown = [(x, y) for x, y in zip(xs, ys, strict=True) if x <= end]
            last = shown[-1][1] if shown else 0.0
            corners = [(0.0, 0.0), *shown, (end, last)]
            axes.step([x for x, _ in corners], [y for _, y in corners], where="post", label=plain(series.name), **look)
            continue
        axes.plot(xs, ys, marker=_MARKS[tone], markersize=3, label=plain(series.name), **look)
        if any(p.below or p.above for p in points):
            axes.fill_between(
                xs,
                [p.value - p.below for p in points],
                [p.value + p.above for p in points],
                color=TONES[tone],
                alpha=0.13,
                linewidth=0,
            )
    axes.grid()
    _from_zero(axes, figure)
    if figure.x_limit is not None:
        axes.set_xlim(0, figure.x_limit)
        if figure.x_limit >= 10_000:
            axes.xaxis.set_major_formatter(_thousands)
    _legend(axes, figure)


def _thousands(value: float, place: int) -> str:
    return f"{value / 1000:,.0f}k"


def _scatter(axes: Any, figure: Figure) -> None:
    for number, series in enumerate(figure.series):
        tone, points = _tone(number, series), _points(series, figure)
        axes.errorbar(
            [series.x[p.place] for p in points],
            [p.value for p in points],
            yerr=_whiskers(points),
            fmt=_MARKS[tone],
            color=TONES[tone],
            markersize=4.5,
            elinewidth=0.7,
            capsize=1.5,
            label=plain(series.name),
        )
    axes.grid()
    _from_zero(axes, figure)
    axes.set_xlim(left=0)
    axes.margins(x=0.12)
    _legend(axes, figure)


_DRAW: Mapping[Shape, Callable[[Any, Figure], None]] = {
    Shape.BARS: _bars,
    Shape.ROWS: _rows,
    Shape.FOREST: _forest,
    Shape.STEPS: _lines,
    Shape.LINES: _lines,
    Shape.POINTS: _scatter,
}
