"""Why an action was not carried out: the typed cause, what there is to say about it, and what to do instead."""

from __future__ import annotations

import re

import playwright.async_api as pw

from refute.browser._outcome import Cause, Outcome

LOOK_AGAIN = "Look at the current page and use a number from it."
TRY_AGAIN = "Try again, or another way."


class Refused(Exception):
    """An action that cannot be carried out; carries its outcome."""

    def __init__(self, cause: Cause, detail: str, hint: str = "") -> None:
        super().__init__(detail)
        self.outcome = Outcome(ok=False, cause=cause, detail=detail, hint=hint)


_REASONS: tuple[tuple[str, Cause, str, str], ...] = (
    (r"(<[^\n]*) intercepts pointer events", Cause.COVERED, "it is covered by {0}", "Deal with what covers it first."),
    (r"element is not enabled", Cause.DISABLED, "it is disabled", "Something else may have to be done first."),
    (r"element is not visible", Cause.HIDDEN, "it is hidden", "Something may have to be opened first."),
    (r"outside of the viewport", Cause.HIDDEN, "it cannot be scrolled into view", TRY_AGAIN),
    (r"element is not stable", Cause.TIMEOUT, "it keeps moving", "Wait, then try again."),
    (r"not attached|detached", Cause.STALE, "it left the page", LOOK_AGAIN),
    (r"Cannot type text|Malformed value", Cause.NOT_FILLABLE, "it does not take this text", "Mind the field's type."),
    (r"not an <input>|not editable", Cause.NOT_FILLABLE, "it takes no text", "Choose a text field."),
    (
        r"Unknown key",
        Cause.INVALID,
        "there is no such key",
        "Keys are named as in Enter, Escape, Tab, ArrowDown, Control+a.",
    ),
    (r"(?:page|target) crashed", Cause.CRASHED, "the page crashed", ""),
    (r"Timeout", Cause.TIMEOUT, "the page did not let it happen in time", TRY_AGAIN),
)


def outcome_of(error: pw.Error) -> Outcome:
    """What a failed Playwright call means, by its message and call log."""
    for pattern, cause, detail, hint in _REASONS:
        found = re.search(pattern, error.message, re.IGNORECASE)
        if found:
            groups = [group.strip()[:120] for group in found.groups()]
            return Refused(cause, detail.format(*groups), hint).outcome
    return Refused(Cause.INVALID, error.message.splitlines()[0][:200] if error.message else "it failed").outcome


def page_crashed(url: str) -> Outcome:
    """The page died under the action."""
    hint = "It is opened again at its address; what was typed and not sent is lost."
    return Refused(Cause.CRASHED, f"the page {url} crashed", hint).outcome


def dialog_first(line: str) -> Outcome:
    """Nothing can be done while a dialog, described by `line`, waits for its answer."""
    return Refused(Cause.DIALOG, f"a dialog is open: {line}", "Answer it first, with answer_dialog.").outcome
