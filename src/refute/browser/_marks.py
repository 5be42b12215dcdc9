"""Set of marks: the numbers of elements, drawn on a screenshot.

Colours are those of Okabe and Ito (2008, "Color Universal Design"), which people with any common colour blindness can
tell apart, each with the text colour that reads best on it. A number never lies on another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw, ImageFont

from refute.browser._observation import Box

COLORS = (
    ((0, 114, 178), (255, 255, 255)),
    ((213, 94, 0), (255, 255, 255)),
    ((0, 128, 96), (255, 255, 255)),
    ((230, 159, 0), (0, 0, 0)),
    ((86, 180, 233), (0, 0, 0)),
    ((204, 121, 167), (0, 0, 0)),
    ((0, 0, 0), (255, 255, 255)),
)
"""Background and text; the green is darkened so that white reads on it (4.9 : 1); yellow is left out, pale on white."""
LETTER = 12
"""Height of a number in CSS pixels."""
Rectangle = tuple[float, float, float, float]


def draw_marks(picture: Image.Image, marks: Iterable[tuple[int, Box]], *, scale: float) -> None:
    """Draw a frame around each box and its number at the corner, on `picture` itself.

    Boxes are in CSS pixels, `scale` device pixels each; those without area are left out. Large boxes go first, so that
    what is inside them stays visible.
    """
    page = picture.convert("L")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(LETTER * scale)
    line = max(1, round(1.5 * scale))
    shown = sorted(((n, b) for n, b in marks if b[2] > 0 and b[3] > 0), key=lambda mark: -mark[1][2] * mark[1][3])
    for number, box in shown:
        left, top, right, bottom = _scaled(box, scale)
        color, _ = COLORS[number % len(COLORS)]
        draw.rectangle((left, top, max(left, right - 1), max(top, bottom - 1)), outline=color, width=line)
    taken: list[Rectangle] = []
    for number, box in reversed(shown):  # the small ones have the fewest places to choose from
        color, text = COLORS[number % len(COLORS)]
        label = str(number)
        width = draw.textlength(label, font=font) + 4 * scale
        height = (LETTER + 3) * scale
        place = _place(_scaled(box, scale), (width, height), page, taken)
        taken.append(place)
        draw.rectangle(place, fill=color)
        middle = ((place[0] + place[2]) / 2, (place[1] + place[3]) / 2)
        draw.text(middle, label, fill=text, font=font, anchor="mm")


def paint_over(picture: Image.Image, boxes: Sequence[Box], *, scale: float) -> None:
    """Paint `boxes` (CSS pixels) black on `picture` itself, with a pixel to spare."""
    draw = ImageDraw.Draw(picture)
    for box in boxes:
        if box[2] <= 0 or box[3] <= 0:
            continue
        left, top, right, bottom = _scaled(box, scale)
        draw.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=(0, 0, 0))


def _scaled(box: Box, scale: float) -> Rectangle:
    left, top, width, height = box
    return left * scale, top * scale, (left + width) * scale, (top + height) * scale


def _place(box: Rectangle, size: tuple[float, float], page: Image.Image, taken: Sequence[Rectangle]) -> Rectangle:
    """Where a number goes: at its box, where there is no other number, and where it hides the least of the page."""
    left, top, right, bottom = box
    width, height = size
    inside = [(left, top), (right - width, top), (left, bottom - height), (right - width, bottom - height)]
    outside = [(left, top - height), (left - width, top), (right, top), (right - width, top - height), (left, bottom)]
    away = [(left + x * width, bottom + y * height) for y in range(3) for x in range(4)]
    near = [_fit(corner, size, page) for corner in (*inside, *outside)]
    free = [place for place in near if not any(_overlap(place, other) for other in taken)]
    if free:
        return min(free, key=lambda place: _ink(page, place))
    far = [_fit(corner, size, page) for corner in away]
    return next((place for place in far if not any(_overlap(place, other) for other in taken)), near[0])


def _ink(page: Image.Image, place: Rectangle) -> int:
    """How much there is to be seen in a part of the page: the range of its brightness, in coarse steps."""
    left, top, right, bottom = (round(edge) for edge in place)
    counts = page.crop((left, top, right, bottom)).histogram()
    shades = [shade for shade, count in enumerate(counts) if count]
    return (shades[-1] - shades[0]) // 32 if shades else 0


def _fit(corner: tuple[float, float], size: tuple[float, float], page: Image.Image) -> Rectangle:
    left = min(max(0.0, corner[0]), page.width - size[0])
    top = min(max(0.0, corner[1]), page.height - size[1])
    return left, top, left + size[0], top + size[1]


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
