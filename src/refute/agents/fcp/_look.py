"""A picture for the verifier, kept in the trace by its hash."""

from __future__ import annotations

from typing import NamedTuple

from refute.agents._protocol import Context
from refute.agents.fcp._settings import VerifierPicture
from refute.llm import Picture


class Look(NamedTuple):
    """A picture of the page in front, or none; `file` is its name in the episode's folder."""

    picture: Picture | None = None
    marked: bool = False
    file: str = ""

    @property
    def shown(self) -> dict[str, object]:
        """The fields of a question that show it."""
        return {"picture": self.picture, "marked": self.marked}


async def look(context: Context, kind: VerifierPicture) -> Look:
    """Take the picture that the settings ask for; none where there is no browser.

    Raises `BrowserError` or one of its kinds, and `TraceError` when it cannot be stored.
    """
    if kind is VerifierPicture.NONE or context.screenshot is None:
        return Look()
    marked = kind is VerifierPicture.MARKS
    data = await context.screenshot(marks=marked)
    return Look(Picture(data=data), marked, context.recorder.picture(data))
