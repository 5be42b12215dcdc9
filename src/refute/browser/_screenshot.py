"""Pictures of the visible part of a page: plain, with the numbers of elements on them, or with parts painted over.

Chromium encodes them itself, fast rather than small (the DevTools protocol's `optimizeForSpeed`). What is to be drawn
on comes without loss and is encoded here.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from io import BytesIO
from typing import Any, Literal

import playwright.async_api as pw
from PIL import Image

from refute._errors import BrowserError, PageCrashed
from refute.browser._devtools import devtools
from refute.browser._engine import says_crashed
from refute.browser._marks import draw_marks, paint_over
from refute.browser._observation import Box, Element

ImageFormat = Literal["jpeg", "png"]
QUALITY = 70


async def picture_of(
    page: pw.Page, *, elements: Sequence[Element] = (), mask: Sequence[Box] = (), image: ImageFormat = "jpeg"
) -> bytes:
    """The viewport of `page`, with the numbers of `elements` on it and the boxes of `mask` painted over.

    Boxes are in CSS pixels, and so is the picture, unless the machine's own screen is denser. Raises
    `BrowserError` or one of its kinds.
    """
    if not elements and not mask:
        return await _capture(page, image)
    with Image.open(BytesIO(await _capture(page, "png"))) as captured:
        picture = captured.convert("RGB")
    width, _ = await _viewport(page)
    scale = picture.width / width
    # masks come first: a number may lie over one, what it hides may not show beside a number
    paint_over(picture, mask, scale=scale)
    draw_marks(picture, [(element.id, element.visible) for element in elements], scale=scale)
    encoded = BytesIO()
    if image == "jpeg":
        picture.save(encoded, "JPEG", quality=QUALITY)
    else:
        picture.save(encoded, "PNG", compress_level=1)
    return encoded.getvalue()


async def _capture(page: pw.Page, image: ImageFormat) -> bytes:
    quality: dict[str, Any] = {"quality": QUALITY} if image == "jpeg" else {}
    try:
        shot = await devtools(page, "Page.captureScreenshot", format=image, optimizeForSpeed=True, **quality)
    except pw.Error as error:
        if says_crashed(error):
            raise PageCrashed(f"the page {page.url} crashed") from error
        raise BrowserError(f"no screenshot of {page.url}: {error.message.splitlines()[0]}") from error
    return base64.b64decode(str(shot["data"]))


async def _viewport(page: pw.Page) -> tuple[float, float]:
    """Width and height in CSS pixels: as set, or (for windows that a page opened) as they are."""
    if page.viewport_size is not None:
        return page.viewport_size["width"], page.viewport_size["height"]
    metrics = await devtools(page, "Page.getLayoutMetrics")
    return float(metrics["cssVisualViewport"]["clientWidth"]), float(metrics["cssVisualViewport"]["clientHeight"])
