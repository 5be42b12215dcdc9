"""Carry out actions on the page, and say how each ended."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import playwright.async_api as pw

from refute._errors import BrowserTimeout, NavigationError, PageCrashed
from refute.browser._action import Action, Back, Check, Click, Fill, Goto, Press, Scroll, Select
from refute.browser._deadline import within
from refute.browser._devtools import devtools
from refute.browser._engine import Engine, Facts, Interrupted, Option, Probed, Scrolled
from refute.browser._observation import Cause, Outcome
from refute.browser._observe import Observer
from refute.browser._tabs import Tabs, open_address

PATIENCE = 3.0
"""Seconds that Playwright may wait for an element to become ready."""
COVERED = 1.0
"""The same for one that something lies over: an animation may be about to end, nothing more."""
NAVIGATION = 15.0
SHARE = 0.8
"""Part of the visible height that one scroll moves by."""
LOOK_AGAIN = "Look at the current page and use a number from it."


class Refused(Exception):
    """An action that cannot be carried out; carries its outcome."""

    def __init__(self, cause: Cause, detail: str, hint: str = "") -> None:
        super().__init__(detail)
        self.outcome = Outcome(ok=False, cause=cause, detail=detail, hint=hint)


@dataclass(frozen=True, kw_only=True)
class _Target:
    frame: pw.Frame
    locator: pw.Locator
    facts: Facts
    number: int

    @property
    def patience(self) -> float:
        """Milliseconds."""
        return 1000 * (COVERED if self.facts.covered else PATIENCE)

    def __str__(self) -> str:
        what = self.facts.role or self.facts.tag
        return f"[{self.number}] {what}" + (f' "{self.facts.name}"' if self.facts.name else "")


class Actor:
    """Acts on the active tab of one session."""

    def __init__(self, engine: Engine, tabs: Tabs, observer: Observer) -> None:
        self._engine = engine
        self._tabs = tabs
        self._observer = observer

    async def perform(self, action: Action) -> Outcome:
        """Carry out `action`; never raises for what a page or an agent does wrong. Does not wait for rest."""
        try:
            detail = await self._dispatch(action)
        except Refused as refused:
            return refused.outcome
        except Interrupted:
            return Refused(Cause.STALE, "the page changed while the action was under way", LOOK_AGAIN).outcome
        except BrowserTimeout as error:
            return Refused(Cause.TIMEOUT, str(error), "Try again, or another way.").outcome
        except PageCrashed as error:
            return Refused(Cause.CRASHED, str(error)).outcome
        except pw.Error as error:
            return outcome_of(error)
        return Outcome(detail=detail)

    async def _dispatch(self, action: Action) -> str:
        match action:
            case Click():
                return await self._click(action)
            case Fill():
                return await self._fill(action)
            case Select():
                return await self._select(action)
            case Check():
                return await self._check(action)
            case Press():
                return await self._press(action)
            case Scroll():
                return await self._scroll(action)
            case Goto():
                return await self._goto(action)
            case Back():
                return await self._back()
            case _:
                return ""  # wait, note, done and infeasible leave the page alone

    async def _target(self, number: int) -> _Target:
        """The element, after a look at whether it is still there (a missing one would cost the whole patience)."""
        frame = self._observer.frame_of(number)
        if frame is None or frame.page is not self._tabs.active:
            raise Refused(Cause.STALE, f"there is no element [{number}] on this page", LOOK_AGAIN)
        facts = (await self._engine.ask(frame, Probed, {"do": "probe", "id": number}, seconds=5)).facts
        if facts is None:
            raise Refused(Cause.STALE, f"element [{number}] is not on the page any more", LOOK_AGAIN)
        return _Target(frame=frame, locator=self._engine.locate(frame, number), facts=facts, number=number)

    async def _click(self, action: Click) -> str:
        target = await self._target(action.target)
        if target.facts.tag == "option":
            raise Refused(Cause.INVALID, f"{target} is an option", "Use select on the list that it belongs to.")
        _refuse_disabled(target)
        tabs = self._tabs.count
        await _carry_out(target.locator.click(timeout=target.patience), f"clicking {target}")
        if target.facts.opens_tab:
            await self._tabs.wait_for_new(tabs)
        return ""

    async def _fill(self, action: Fill) -> str:
        target = await self._target(action.target)
        facts = target.facts
        if facts.options is not None:
            raise Refused(Cause.NOT_FILLABLE, f"{target} is a list of options", "Use select with one of its options.")
        if not facts.fillable and facts.type not in ("color", "range"):
            raise Refused(Cause.NOT_FILLABLE, f"{target} takes no text", "Choose a text field.")
        _refuse_disabled(target)
        if facts.readonly:
            raise Refused(Cause.NOT_FILLABLE, f"{target} is read-only")
        await _carry_out(target.locator.fill(action.text, timeout=target.patience), f"filling {target}")
        return ""

    async def _select(self, action: Select) -> str:
        target = await self._target(action.target)
        options = target.facts.options
        if options is None:
            hint = "Click it to open its choices, then click the choice."
            raise Refused(Cause.INVALID, f"{target} is not a native list of options", hint)
        _refuse_disabled(target)
        index = find_option(options, action.option)
        if index is None:
            labels = [f'"{option.label}"' for option in options]
            shown = ", ".join(labels[:40]) + (f" … {len(labels)} in all" if len(labels) > 40 else "")
            raise Refused(Cause.NO_SUCH_OPTION, f'{target} has no option "{action.option}"', f"It has: {shown}.")
        if options[index].disabled:
            raise Refused(Cause.DISABLED, f'option "{options[index].label}" of {target} is disabled')
        call = target.locator.select_option(index=index, timeout=target.patience)
        await _carry_out(call, f"selecting in {target}")
        return ""

    async def _check(self, action: Check) -> str:
        target = await self._target(action.target)
        facts = target.facts
        word = "checked" if action.checked else "unchecked"
        if facts.checked is None:
            raise Refused(Cause.INVALID, f"{target} cannot be checked or unchecked", "Use click instead.")
        if facts.checked is action.checked:
            return f"{target} was {word} already"
        _refuse_disabled(target)
        if facts.role == "radio" and not action.checked:
            raise Refused(Cause.INVALID, f"{target} is a radio button", "Check another one of its group instead.")
        by_label = facts.hidden_control and facts.has_label
        locator = self._engine.locate(target.frame, target.number, "label") if by_label else target.locator
        await _carry_out(locator.click(timeout=target.patience), f"clicking {target}")
        after = (await self._engine.ask(target.frame, Probed, {"do": "probe", "id": target.number}, seconds=5)).facts
        if after is not None and after.checked is not action.checked:
            raise Refused(Cause.INVALID, f"{target} did not become {word} when clicked", "Try another way.")
        return ""

    async def _press(self, action: Press) -> str:
        if action.target is None:
            await _carry_out(self._tabs.active.keyboard.press(action.key), f"pressing {action.key}")
            return ""
        target = await self._target(action.target)
        _refuse_disabled(target)
        call = target.locator.press(action.key, timeout=target.patience)
        await _carry_out(call, f"pressing {action.key} on {target}")
        return ""

    async def _scroll(self, action: Scroll) -> str:
        frame: pw.Frame | None = self._tabs.active.main_frame
        number = 0
        if action.target is not None:
            target = await self._target(action.target)
            inner = await self._observer.content_of(action.target) if target.facts.tag in ("iframe", "frame") else None
            frame, number = (inner, 0) if inner is not None else (target.frame, action.target)
        share = SHARE if action.direction == "down" else -SHARE
        command = {"do": "scroll", "id": number, "share": share}
        moved = (await self._engine.ask(frame or self._tabs.active.main_frame, Scrolled, command, seconds=5)).moved
        if moved is None:
            raise Refused(Cause.STALE, f"element [{number}] is not on the page any more", LOOK_AGAIN)
        end = "bottom" if action.direction == "down" else "top"
        return f"scrolled by {abs(moved)} px" if moved else f"nothing moved: it is at the {end} already"

    async def _goto(self, action: Goto) -> str:
        page = self._tabs.active
        url = urljoin(page.url, action.url.strip())
        if urlsplit(url).scheme not in ("http", "https"):
            hint = "Give a full address that starts with http:// or https://."
            raise Refused(Cause.BLOCKED, f"{action.url!r} is not an address of a web page", hint)
        try:
            await open_address(page, url, seconds=NAVIGATION)
        except NavigationError as error:
            if self._tabs.failed is None:
                raise Refused(Cause.NAVIGATION, str(error), "Check the address, or go back.") from error
        return ""  # a failed navigation is on the record of the tabs, with its reason

    async def _back(self) -> str:
        page = self._tabs.active
        try:
            earlier = await _earlier_page(page)
            if earlier:
                call = page.go_back(wait_until="domcontentloaded", timeout=NAVIGATION * 1000)
                await within(NAVIGATION + 2, call, what="going back")
                return ""
        except pw.TimeoutError:
            raise BrowserTimeout(f"going back took longer than {NAVIGATION:g} s") from None
        if self._tabs.count > 1:
            await self._tabs.close_active()
            return "this tab had no earlier page: it was closed, and the tab before it is in front"
        raise Refused(Cause.INVALID, "there is no earlier page to go back to")


async def _carry_out(call: Awaitable[object], what: str) -> None:
    """Wait for a call on an element; what it leads to may take longer than the element was given to become ready."""
    try:
        await within(NAVIGATION, call, what=what)
    except pw.TimeoutError as error:
        if "waiting for scheduled navigations" not in error.message:
            raise  # otherwise it is done, and the page is on its way elsewhere: settling waits for that


def _refuse_disabled(target: _Target) -> None:
    if target.facts.disabled:
        hint = "Something else may have to be filled in or chosen first."
        raise Refused(Cause.DISABLED, f"{target} is disabled", hint)


async def _earlier_page(page: pw.Page) -> bool:
    """Whether the tab's history holds a page before this one; the empty page that every tab starts with is none."""
    history = await devtools(page, "Page.getNavigationHistory")
    index = int(history["currentIndex"])
    return index > 0 and str(history["entries"][index - 1]["url"]) != "about:blank"


def find_option(options: list[Option], wanted: str) -> int | None:
    """The option with this label: letter for letter, or else the only one that differs in case and spacing."""
    labels = [option.label for option in options]
    if wanted in labels:
        return labels.index(wanted)
    folded = " ".join(wanted.split()).casefold()
    same = [i for i, label in enumerate(labels) if label.casefold() == folded]
    return same[0] if len(same) == 1 else None


_REASONS: tuple[tuple[str, Cause, str, str], ...] = (
    (r"(<[^\n]*) intercepts pointer events", Cause.COVERED, "it is covered by {0}", "Deal with what covers it first."),
    (r"element is not enabled", Cause.DISABLED, "it is disabled", "Something else may have to be done first."),
    (r"element is not visible", Cause.HIDDEN, "it is hidden", "Something may have to be opened first."),
    (r"outside of the viewport", Cause.HIDDEN, "it cannot be scrolled into view", "Try another way."),
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
    (r"Timeout", Cause.TIMEOUT, "the element did not become ready in time", "Try again, or another way."),
)


def outcome_of(error: pw.Error) -> Outcome:
    """What a failed Playwright call means, by its message and call log."""
    for pattern, cause, detail, hint in _REASONS:
        found = re.search(pattern, error.message, re.IGNORECASE)
        if found:
            groups = [group.strip()[:120] for group in found.groups()]
            return Refused(cause, detail.format(*groups), hint).outcome
    return Refused(Cause.INVALID, error.message.splitlines()[0][:200] if error.message else "it failed").outcome
