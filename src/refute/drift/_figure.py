"""The curve as a picture: how many drifts are noticed in time against how often on-track states ask the model."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from refute.drift._result import WITHIN, DriftResult, Point
from refute.metrics import by_coin

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 16, 34, 48
_TONES = ("#0b6e99", "#c4522d", "#5a8f29", "#7a5195", "#b8860b", "#444444", "#c2478f", "#2f4b9b")
_AIM = (0.5, 0.9)
"""At most this share of on-track states, at least this share of drifts (issue E)."""


def figure(result: DriftResult) -> str:
    """An SVG with a curve for each author of commitments and each routing; dots are the default thresholds.

    The grey line is a coin that asks the model as often, whatever it sees. The shaded corner is the aim.
    """
    lines = [
        (f"{author}, {routing}", figures.curve)
        for author, routings in result.authors.items()
        for routing, figures in routings.items()
    ]
    heading = f"{result.split} split, seed {result.seed}: {result.drifts} drifts, {result.drives} drives, simulated"
    x, y = _AIM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12" fill="#333"><rect width="100%" height="100%" fill="#fff"/>',
        f"<title>{escape(heading)}</title>",
        _text(_LEFT, 18, heading),
        f'<rect x="{_x(0)}" y="{_y(1)}" width="{_x(x) - _x(0)}" height="{_y(y) - _y(1)}" fill="#e8f0e2"/>',
        *_axes(),
        _line([(n / 50, by_coin(n / 50, WITHIN)) for n in range(51)], "#999", dashed=True),
        _text(_x(0.12), _y(by_coin(0.1, WITHIN)), "a coin", tone="#777"),
    ]
    for number, (name, curve) in enumerate(lines):
        tone = _TONES[number % len(_TONES)]
        parts += [_line(_points(curve), tone), *_dot(curve, tone)]
        parts.append(_text(_x(0.62), _y(0.30) + 17 * number, name, tone=tone))
    return "".join((*parts, "</svg>\n"))


def _points(curve: Sequence[Point]) -> list[tuple[float, float]]:
    return [(p.on_track, p.within) for p in curve if p.on_track is not None and p.within is not None]


def _dot(curve: Sequence[Point], tone: str) -> list[str]:
    here = _points([p for p in curve if p.shift == 0])
    return [f'<circle cx="{_x(a)}" cy="{_y(b)}" r="4.5" fill="{tone}"/>' for a, b in here]


def _axes() -> list[str]:
    parts: list[str] = []
    for n in range(0, 101, 20):
        share = n / 100
        parts.append(_line([(share, 0), (share, 1)], "#e5e5e5"))
        parts.append(_line([(0, share), (1, share)], "#e5e5e5"))
        parts.append(_text(_x(share), _HEIGHT - 30, f"{n}%", anchor="middle"))
        parts.append(_text(_LEFT - 8, _y(share) + 4, f"{n}%", anchor="end"))
    across = _text(_x(0.5), _HEIGHT - 10, "on-track states that ask the model", anchor="middle")
    turned = f"drifts noticed within {WITHIN} steps"
    up = f'<text transform="translate(14 {_y(0.5)}) rotate(-90)" text-anchor="middle">{turned}</text>'
    return [*parts, across, up]


def _line(points: Sequence[tuple[float, float]], tone: str, *, dashed: bool = False) -> str:
    path = " ".join(f"{_x(a)},{_y(b)}" for a, b in points)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{tone}" stroke-width="1.8"{dashes}/>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", tone: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{tone}">{escape(text)}</text>'


def _x(share: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * share, 1)


def _y(share: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share), 1)
