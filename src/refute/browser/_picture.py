"""Pictures of what Chromium does not let anybody photograph: a page behind an open dialog."""

from __future__ import annotations

import textwrap
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

QUALITY = 70
COLUMNS = 60


def blank(width: int = 1280, height: int = 720) -> bytes:
    """A white JPEG."""
    out = BytesIO()
    Image.new("RGB", (width, height), "white").save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def with_dialog(picture: bytes, words: str) -> bytes:
    """`picture` (JPEG), darkened, with a box that holds `words` in its upper middle, where Chromium has its dialogs."""
    page = Image.open(BytesIO(picture)).convert("RGB")
    page = Image.blend(page, Image.new("RGB", page.size, "black"), 0.45)
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    text = "\n".join(textwrap.wrap(words, COLUMNS)[:8])
    left, top, right, bottom = draw.multiline_textbbox((0, 0), text, font=font, spacing=6)
    width, height = right - left + 48, bottom - top + 44
    x, y = max(0, (page.width - width) / 2), page.height / 10
    draw.rounded_rectangle((x, y, x + width, y + height), radius=8, fill="white", outline="#888888")
    draw.multiline_text((x + 24 - left, y + 22 - top), text, fill="#202020", font=font, spacing=6)
    out = BytesIO()
    page.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
