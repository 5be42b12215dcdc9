"""What an agent sees of a page."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from refute.browser._outcome import PageEvent
from refute.trace import Event

Form = Literal["compact", "axtree"]
"""How an observation is written: the compact text, or a flattened accessibility tree as the papers show it."""
Extent = Literal["viewport", "page"]
"""What of a page an observation holds: what can be seen at once, or all that scrolling can bring into view."""
Box = tuple[int, int, int, int]
"""Left, top, width, height in CSS pixels of the page's viewport."""


class Element(BaseModel):
    """Something on the page that can be acted on.

    `id` stays the same for the same element for as long as it exists, over scrolling and re-observation, and is never
    given to another one.
    """

    model_config = ConfigDict(frozen=True)

    id: int = Field(ge=1)
    role: str = Field(description="ARIA role, or what stands in for one: clickable, canvas, scroller, iframe, …")
    name: str = Field(default="", description="accessible name, or a guess at one")
    guessed: bool = Field(default=False, description="the page names it nothing: `name` is what stands beside it")
    value: str | None = Field(default=None, description="current value; passwords are masked")
    options: tuple[str, ...] = Field(default=(), description="labels of a select's options")
    states: tuple[str, ...] = Field(
        default=(),
        description="of checked, unchecked, mixed, selected, multiple, disabled, readonly, required, invalid, "
        "expanded, collapsed, pressed, unpressed, current, popup, busy, focused, draggable, covered",
    )
    box: Box = Field(default=(0, 0, 0, 0), description="left, top, width, height in CSS pixels of the page's viewport")
    visible: Box = Field(default=(0, 0, 0, 0), description="the part of `box` that is neither scrolled nor cut away")


class Tab(BaseModel):
    """An open tab. `number` is given when it opens and to no other tab of its session (0 = not known)."""

    model_config = ConfigDict(frozen=True)

    number: int = Field(default=0, ge=0)
    title: str
    url: str
    active: bool = False


class Observation(BaseModel):
    """The active tab as an agent sees it: the part of the page inside the viewport, as text with numbered elements.

    `text` holds one line per piece of the page, indented by nesting; here in the form `compact`::

        # Basket                                      a heading, one # per level
        navigation "Main":                            a region; what is in it follows, indented
        [12] button "Search" (disabled)               an element: number, role, name, notes
        [13] link "Books" -> /books                   where a link leads
        [14] textbox "Name" (value="Bob", required)   what is in a field; passwords are masked
        [15] combobox "Size" (options: S | *M)        * marks what is selected
        [16] button "Buy" (covered by div#veil)       what lies over it
        - one                                         a list item
        | Emma | 9.99                                 a table row
        [17] iframe:                                  a frame; what is in it follows, indented
        Two items                                     text; elements inside a sentence stay in its line

    `digest` changes when anything that an agent could see changes; it does not depend on element ids.
    """

    model_config = ConfigDict(frozen=True)

    url: str
    title: str = ""
    text: str = ""
    elements: tuple[Element, ...] = ()
    tabs: tuple[Tab, ...] = ()
    events: tuple[PageEvent, ...] = ()
    status: int = Field(default=0, description="HTTP status of the document; 0 = it came from no server")
    digest: str = ""
    form: Form = "compact"
    extent: Extent = "viewport"
    above: int = Field(default=0, ge=0, description="targets above the visible part, in the page or a scroller in view")
    below: int = Field(default=0, ge=0, description="targets below the visible part, in the page or a scroller in view")
    scroll_y: int = 0
    scroll_max: int = Field(default=0, description="largest possible scroll_y; 0 = the page fits")

    @property
    def failed(self) -> bool:
        """Whether this is a server's error page in the place of what is at `url`."""
        return self.status >= 400

    @property
    def more_above(self) -> bool:
        """Whether the page goes on above what `text` holds."""
        return self.extent == "viewport" and (self.scroll_y > 0 or self.above > 0)

    @property
    def more_below(self) -> bool:
        """Whether the page goes on below what `text` holds."""
        return self.extent == "viewport" and (self.scroll_y < self.scroll_max or self.below > 0)

    def element(self, number: int) -> Element | None:
        """The element with this id, or None."""
        return next((e for e in self.elements if e.id == number), None)


class Observed(Event, kind="observed"):
    """A page was observed; the record of what the agent saw at this step."""

    url: str
    title: str = ""
    text: str = ""
    digest: str = ""
    picture: str | None = Field(default=None, description="file name relative to the episode's folder")
    events: tuple[PageEvent, ...] = ()
    more_above: bool | None = Field(default=None, description="whether the page goes on out of sight; null = unknown")
    more_below: bool | None = None
    milliseconds: float = 0.0
