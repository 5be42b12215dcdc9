"""Figures as files: SVG, PNG and PDF of every shape, legible, with their fonts, and naming what they rest on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from refute import UserError
from refute.metrics import Estimate
from refute.report import View, write_figures
from refute.report.views import Facts, Figure, Series, Shape


def figure(shape: Shape, name: str = "<b>fcp</b>") -> Figure:
    y = tuple(Estimate(value=v, low=v - 0.1, high=v + 0.05, tasks=3) for v in (0.2, 0.6, 0.9))
    gap = (Estimate(value=None), *y[1:])
    points = shape is Shape.POINTS
    return Figure(
        name=shape.value,
        title=f"Shape {shape.value}",
        shape=shape,
        categories=("one", "two", "three"),
        series=(
            Series(name=name, x=(3.0,) if points else (1.0, 5.0, 20.0), y=y[:1] if points else y),
            Series(name="react", x=(9.0,) if points else (2.0, 6.0, 30.0), y=gap[:1] if points else gap, dashed=True),
        ),
        x_limit=40.0 if shape is Shape.STEPS else None,
        x_label="steps",
        y_label="%",
    )


def view(*figures: Figure) -> View:
    facts = Facts(simulated=True, episodes=3, counted=3, tasks=3, seeds=(0,))
    return View(name="try", title="T", facts=facts, sheets=(), figures=figures)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    files = write_figures(view(*(figure(shape) for shape in Shape)), folder)
    assert {f.name for f in files} == {f"try-{s.value}.{form}" for s in Shape for form in ("svg", "png", "pdf")}
    return folder


@pytest.mark.parametrize("shape", list(Shape))
def test_a_figure_is_a_column_wide_and_shows_something(drawn: Path, shape: Shape) -> None:
    picture = Image.open(drawn / f"try-{shape.value}.png").convert("RGB")
    assert picture.width == pytest.approx(3.35 * 300, abs=2)
    colors = {color for _, color in picture.getcolors(1 << 24) or []}
    assert (0x00, 0x72, 0xB2) in colors  # the first tone of the palette


def test_pdf_embeds_its_fonts_and_svg_needs_none(drawn: Path) -> None:
    for shape in Shape:
        pdf = (drawn / f"try-{shape.value}.pdf").read_bytes()
        assert b"/FontFile2" in pdf
        svg = (drawn / f"try-{shape.value}.svg").read_text()
        assert "<text" not in svg
        assert "<script" not in svg


def test_the_same_figures_give_the_same_file(drawn: Path, tmp_path: Path) -> None:
    write_figures(view(figure(Shape.BARS)), tmp_path)
    for form in ("svg", "pdf"):
        assert (tmp_path / f"try-bars.{form}").read_bytes() == (drawn / f"try-bars.{form}").read_bytes()


def test_a_name_is_no_formula(tmp_path: Path) -> None:
    write_figures(view(figure(Shape.BARS, name="$\\frac{_^$")), tmp_path)
    assert (tmp_path / "try-bars.png").exists()


def test_a_folder_that_cannot_be_written_is_an_error_for_the_user(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="choose another --figures"):
        write_figures(view(figure(Shape.BARS)), tmp_path / "file")


def test_the_report_loads_no_matplotlib_until_a_figure_is_drawn() -> None:
    code = "import sys, refute.report; print(any(m.startswith('matplotlib') for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "False"
