"""Pictures of pages: plain, with numbers on them, with parts painted over, on screens of any density."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from refute.browser import BrowserHost, Session
from refute.browser._marks import COLORS, draw_marks
from refute.browser._observe import Observer
from refute.browser._screenshot import picture_of

from .site import Site, named, see

PAGE = """<style>body{margin:0}button{position:absolute;width:120px;height:40px;border:0;background:#fff}</style>
<button style="left:100px;top:100px">One</button><button style="left:400px;top:300px">Two</button>
<input type=password value=hunter2 aria-label=Secret style="position:absolute;left:700px;top:100px;width:200px;
height:30px;border:0;background:#0f0">"""


def opened(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture)).convert("RGB")


async def test_plain_pictures_are_jpeg_or_png_of_the_viewport(site: Site, session: Session) -> None:
    await session.goto(site.serve(PAGE))
    jpeg, png = await session.screenshot(), await session.screenshot(image="png")
    assert jpeg.startswith(b"\xff\xd8")
    assert png.startswith(b"\x89PNG")
    assert opened(jpeg).size == opened(png).size == (1280, 720)
    assert opened(png).getpixel((800, 115)) == (0, 255, 0)


async def test_numbers_are_drawn_at_their_elements(site: Site, session: Session) -> None:
    page = await see(session, site.serve(PAGE))
    plain, marked = (
        opened(await session.screenshot(image="png")),
        opened(await session.screenshot(marks=True, image="png")),
    )
    for name in ("One", "Two"):
        element = named(page, name)
        color = COLORS[element.id % len(COLORS)][0]
        left, top, width, height = element.box
        for corner in ((left, top + height - 1), (left + width - 1, top + height - 1), (left + width - 1, top)):
            assert marked.getpixel(corner) == color
    assert marked.getpixel((650, 600)) == plain.getpixel((650, 600))


async def test_masked_parts_are_black_marks_or_not(site: Site, session: Session) -> None:
    page = await see(session, site.serve(PAGE))
    box = named(page, "Secret").box
    for marks in (False, True):
        picture = opened(await session.screenshot(marks=marks, mask=[box], image="png"))
        assert picture.getpixel((box[0] + 100, box[1] + 20)) == (0, 0, 0)
        assert (0, 255, 0) not in {color for _, color in picture.getcolors(1 << 20) or []}


@pytest.mark.parametrize("density", [1.5, 2.0, 3.0])
async def test_dense_screens_have_marks_at_their_elements_too(site: Site, host: BrowserHost, density: float) -> None:
    browser = host._browser  # pyright: ignore[reportPrivateUsage]
    assert browser is not None
    context = await browser.new_context(viewport={"width": 1000, "height": 600}, device_scale_factor=density)
    try:
        page = await context.new_page()
        await page.goto(site.serve(PAGE))
        look = await Observer(host._engine).look(page)  # pyright: ignore[reportPrivateUsage]
        picture = opened(await picture_of(page, elements=look.elements, image="png"))
        assert picture.size == (1000, 600)  # a pixel of the picture is one of CSS: what is seen at x,y is at x,y
        two = next(element for element in look.elements if element.name == "Two")
        left, top, width, height = two.box
        assert picture.getpixel((left + width - 1, top + height - 1)) == COLORS[two.id % len(COLORS)][0]
        assert picture.getpixel((left + width // 2, top + height + 20)) == (255, 255, 255)
    finally:
        await context.close()


@pytest.mark.parametrize("scale", [1.0, 1.5, 3.0])
def test_marks_grow_with_the_picture(scale: float) -> None:
    picture = Image.new("RGB", (round(400 * scale), round(300 * scale)), (255, 255, 255))
    draw_marks(picture, [(1, (100, 100, 120, 40))], scale=scale)
    color = COLORS[1][0]
    assert picture.getpixel((round(100 * scale), round(139 * scale))) == color
    assert picture.getpixel((round(160 * scale), round(120 * scale))) == (255, 255, 255)
    area = sum(count for count, found in picture.getcolors(1 << 16) or [] if found == color)
    assert 400 < area / scale**2 < 900


def test_numbers_do_not_lie_on_each_other() -> None:
    """Sixty small targets side by side, as in a calendar: every number's colour is there."""
    picture = Image.new("RGB", (640, 480), (255, 255, 255))
    marks = [(100 + i, (20 + 60 * (i % 10), 20 + 60 * (i // 10), 20, 14)) for i in range(60)]
    draw_marks(picture, marks, scale=1.0)
    for number, (left, top, _, _) in marks:
        around = picture.crop((left - 40, top - 30, left + 60, top + 45))
        found = around.getcolors(1 << 16) or []
        area = sum(count for count, color in found if color == COLORS[number % len(COLORS)][0])
        assert area > 150
