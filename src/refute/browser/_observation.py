"""What an agent sees of a page, and how its last action ended."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute.browser._action import Action
from refute.trace import Event


class Element(BaseModel):
    """Something on the page that can be acted on.

    `id` stays the same for the same element for as long as it exists, over scrolling and re-observation, and is never
    given to another one.
    """

    model_config = ConfigDict(frozen=True)

    id: int = Field(ge=1)
    role: str = Field(description="ARIA role, or what stands in for one: clickable, canvas, scroller, iframe, …")
    name: str = Field(default="", description="accessible name")
    value: str | None = Field(default=None, description="current value; passwords are masked")
    options: tuple[str, ...] = Field(default=(), description="labels of a select's options")
    states: tuple[str, ...] = Field(
        default=(),
        description="of checked, unchecked, mixed, selected, multiple, disabled, readonly, required, invalid, "
        "expanded, collapsed, pressed, unpressed, current, popup, focused, draggable, covered",
    )
    box: tuple[int, int, int, int] = Field(
        default=(0, 0, 0, 0), description="left, top, width, height in CSS pixels of the page's viewport"
    )


class Tab(BaseModel):
    """An open tab."""

    model_config = ConfigDict(frozen=True)

    title: str
    url: str
    active: bool = False


class PageEvent(BaseModel):
    """Something that happened since the last observation: a dialog, a download, a new tab, an error."""

    model_config = ConfigDict(frozen=True)

    type: str = Field(description="dialog, download, tab_opened, tab_closed, console_error, request_failed, crashed")
    text: str = ""


class Observation(BaseModel):
    """The active tab as an agent sees it: the part of the page inside the viewport, as text with numbered elements.

    `text` holds one line per piece of the page, indented by nesting::

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
    digest: str = ""
    above: int = Field(default=0, ge=0, description="targets above the visible part")
    below: int = Field(default=0, ge=0, description="targets below the visible part")
    scroll_y: int = 0
    scroll_max: int = Field(default=0, description="largest possible scroll_y; 0 = the page fits")

    def element(self, number: int) -> Element | None:
        """The element with this id, or None."""
        return next((e for e in self.elements if e.id == number), None)


class Cause(StrEnum):
    """Why an action did not do what it says."""

    STALE = "stale"
    HIDDEN = "hidden"
    COVERED = "covered"
    DISABLED = "disabled"
    NOT_FILLABLE = "not_fillable"
    NO_SUCH_OPTION = "no_such_option"
    NAVIGATION = "navigation_failed"
    TIMEOUT = "timeout"
    BLOCKED = "blocked_by_policy"
    CRASHED = "page_crashed"
    INVALID = "invalid"
    UNPARSABLE = "unparsable"


class Outcome(BaseModel):
    """How an action ended. `detail` and `hint` are shown to the agent."""

    model_config = ConfigDict(frozen=True)

    ok: bool = True
    cause: Cause | None = None
    detail: str = ""
    hint: str = ""
    changed: bool = Field(default=True, description="whether the observation's digest differs from the one before")
    intercepted: bool = Field(
        default=False, description="a `done` that the harness turned down because the goal changed"
    )


class Observed(Event, kind="observed"):
    """A page was observed; the record of what the agent saw at this step."""

    url: str
    title: str = ""
    text: str = ""
    digest: str = ""
    picture: str | None = Field(default=None, description="file name relative to the episode's folder")
    events: tuple[PageEvent, ...] = ()
    milliseconds: float = 0.0


class Acted(Event, kind="acted"):
    """An action was carried out on the page (or, for note, done and infeasible, accepted)."""

    action: Action
    text: str = Field(description="the action in its textual form")
    target: str = Field(default="", description="role and name of the element acted on")
    outcome: Outcome = Outcome()
    milliseconds: float = 0.0
