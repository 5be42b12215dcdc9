"""Actions as data. Model output is parsed with a grammar into these types and never executed as code.

Numbers of elements and tabs are those of the observation. Coordinates are CSS pixels from the upper left corner of the
window, as in `Element.box`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Number = Annotated[int, Field(ge=1)]
"""An element or a tab."""
Pixel = Annotated[int, Field(ge=-100_000, le=100_000)]


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


# ---- elements


class Click(_Action):
    """``click('12')``: click element 12."""

    name: Literal["click"] = "click"
    target: Number


class DoubleClick(_Action):
    """``double_click('12')``: click element 12 twice."""

    name: Literal["double_click"] = "double_click"
    target: Number


class RightClick(_Action):
    """``right_click('12')``: click element 12 with the other mouse button."""

    name: Literal["right_click"] = "right_click"
    target: Number


class Hover(_Action):
    """``hover('12')``: move the mouse over element 12."""

    name: Literal["hover"] = "hover"
    target: Number


class Fill(_Action):
    """``fill('12', 'text')``: replace the value of a field, be it text, a date, a number, a colour or a range."""

    name: Literal["fill"] = "fill"
    target: Number
    text: str


class Type(_Action):
    """``type('12', 'text')`` or ``type('text')``: key by key after what is there, in an element or at the focus."""

    name: Literal["type"] = "type"
    text: str = Field(min_length=1)
    target: Number | None = None


class Press(_Action):
    """``press('Enter')`` or ``press('12', 'Enter')``: a key or chord, on an element or where the focus is."""

    name: Literal["press"] = "press"
    key: str = Field(min_length=1)
    target: Number | None = None


class Select(_Action):
    """``select('12', 'option')``: choose options by their visible labels; `more` for lists that take several."""

    name: Literal["select"] = "select"
    target: Number
    option: str
    more: tuple[str, ...] = ()


class Check(_Action):
    """``check('12')`` / ``uncheck('12')``: set a checkbox, switch or radio."""

    name: Literal["check"] = "check"
    target: Number
    checked: bool = True


class Upload(_Action):
    """``upload('12', 'report.csv')``: give files to a file field, by name; paths are never taken."""

    name: Literal["upload"] = "upload"
    target: Number
    file: str = Field(min_length=1)
    more: tuple[str, ...] = ()


class Drag(_Action):
    """``drag('12', '15')``: drag element 12 and drop it on element 15."""

    name: Literal["drag"] = "drag"
    target: Number
    to: Number


class DragBy(_Action):
    """``drag_by('12', 40, -10)``: drag element 12 so many pixels to the right and down."""

    name: Literal["drag_by"] = "drag_by"
    target: Number
    right: Pixel
    down: Pixel


class Scroll(_Action):
    """``scroll('down')``: the page by most of a screen, also up, left, right; ``scroll('down', '12')``: a container."""

    name: Literal["scroll"] = "scroll"
    direction: Literal["up", "down", "left", "right"]
    target: Number | None = None


# ---- places in the window, for what has no elements, such as a canvas


class ClickAt(_Action):
    """``click_at(120, 300)``: click a point of the window."""

    name: Literal["click_at"] = "click_at"
    x: Pixel
    y: Pixel


class HoverAt(_Action):
    """``hover_at(120, 300)``: move the mouse to a point of the window."""

    name: Literal["hover_at"] = "hover_at"
    x: Pixel
    y: Pixel


class DragAt(_Action):
    """``drag_at(20, 20, 120, 60)``: press the mouse at the first point, move over the others, let go at the last."""

    name: Literal["drag_at"] = "drag_at"
    points: tuple[tuple[Pixel, Pixel], ...] = Field(min_length=2)


# ---- pages, tabs, dialogs


class Goto(_Action):
    """``goto('http://…')``: open an address in this tab."""

    name: Literal["goto"] = "goto"
    url: str = Field(min_length=1)


class Back(_Action):
    """``back()``: one step back in this tab's history."""

    name: Literal["back"] = "back"


class Forward(_Action):
    """``forward()``: one step forward in this tab's history."""

    name: Literal["forward"] = "forward"


class Reload(_Action):
    """``reload()``: load this page anew; a form is not sent a second time by it."""

    name: Literal["reload"] = "reload"


class NewTab(_Action):
    """``new_tab('http://…')`` or ``new_tab()``: open a tab and bring it to the front."""

    name: Literal["new_tab"] = "new_tab"
    url: str = ""


class FocusTab(_Action):
    """``focus_tab(2)``: bring tab 2 to the front."""

    name: Literal["focus_tab"] = "focus_tab"
    tab: Number


class CloseTab(_Action):
    """``close_tab()`` or ``close_tab(2)``: close the tab in front, or tab 2."""

    name: Literal["close_tab"] = "close_tab"
    tab: Number | None = None


class AnswerDialog(_Action):
    """``answer_dialog('accept')``, ``('accept', 'text')`` or ``('dismiss')``: answer a confirm or prompt."""

    name: Literal["answer_dialog"] = "answer_dialog"
    accept: bool
    text: str | None = Field(default=None, description="for a prompt; None = what the page suggests")


# ---- what leaves the page alone


class Wait(_Action):
    """``wait(2)``: let `seconds` (0 to 10) go by."""

    name: Literal["wait"] = "wait"
    seconds: float = Field(default=1.0, ge=0, le=10)


class Note(_Action):
    """``note('text')``: write something down for later steps."""

    name: Literal["note"] = "note"
    text: str


class SendMessage(_Action):
    """``send_message('text')``: tell the user something and go on."""

    name: Literal["send_message"] = "send_message"
    text: str


class Done(_Action):
    """``done('message')``: claim that the goal is met, and report to the user."""

    name: Literal["done"] = "done"
    message: str


class Infeasible(_Action):
    """``infeasible('reason')``: report that the goal cannot be met."""

    name: Literal["infeasible"] = "infeasible"
    reason: str


OnElement = (
    Click | DoubleClick | RightClick | Hover | Fill | Type | Press | Select | Check | Upload | Drag | DragBy | Scroll
)
"""Actions with a `target`, which may be None for `Type`, `Press` and `Scroll`."""
OnPage = OnElement | ClickAt | HoverAt | DragAt | Goto | Back | Forward | Reload | NewTab | FocusTab | CloseTab
"""Actions on the tab in front, or on the tabs."""
OffPage = Wait | Note | SendMessage | Done | Infeasible
"""Actions that leave the browser alone."""

Action = Annotated[OnPage | AnswerDialog | OffPage, Field(discriminator="name")]
"""Every action an agent can return."""
