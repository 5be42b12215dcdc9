"""How an action ended, and what happened on the page meanwhile."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute.browser._action import Action
from refute.trace import Event


class SavedFile(BaseModel):
    """A download that was kept. `name` is safe as a file name, and by it the file can be uploaded again."""

    model_config = ConfigDict(frozen=True)

    name: str
    size: int = Field(ge=0, description="bytes")
    sha256: str


class PageEvent(BaseModel):
    """Something that happened since the last observation: a dialog, a download, a new tab, an error."""

    model_config = ConfigDict(frozen=True)

    type: str = Field(
        description="dialog, download, tab_opened, tab_closed, console_error, request_failed, denied, http_error, "
        "crashed, hung"
    )
    text: str = ""
    file: SavedFile | None = Field(default=None, description="of a download that was kept")


class Cause(StrEnum):
    """Why an action did not do what it says."""

    MISSING = "missing"
    """No element, tab or dialog was ever known by that number."""
    STALE = "stale"
    """It was there, and is gone."""
    LOST = "click_lost"
    """It moved or was replaced before the mouse was let go: nothing was clicked. Or a shape was overlaid before the
    mouse went down, so that something else got the click."""
    HIDDEN = "hidden"
    COVERED = "covered"
    DISABLED = "disabled"
    NOT_FILLABLE = "not_fillable"
    NO_SUCH_OPTION = "no_such_option"
    """Of a list, or of the files that may be uploaded."""
    NAVIGATION = "navigation_failed"
    TIMEOUT = "timeout"
    BLOCKED = "blocked_by_policy"
    DIALOG = "dialog_open"
    """The page cannot be touched before its dialog is answered."""
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


class Acted(Event, kind="acted"):
    """An action was carried out on the page (or, for what leaves the page alone, accepted)."""

    action: Action
    text: str = Field(description="the action in its textual form")
    target: str = Field(default="", description="role and name of the element acted on")
    outcome: Outcome = Outcome()
    milliseconds: float = 0.0
