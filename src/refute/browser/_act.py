"""Carry out actions on the page, and say how each ended."""

from __future__ import annotations

import playwright.async_api as pw

from refute._errors import BrowserTimeout, PageCrashed
from refute.browser._action import (
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    DoubleClick,
    Drag,
    DragAt,
    DragBy,
    Fill,
    FocusTab,
    Forward,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    OnPage,
    Press,
    Reload,
    RightClick,
    Scroll,
    Select,
    Type,
    Upload,
)
from refute.browser._deadline import Deadlines, within
from refute.browser._downloads import Downloads
from refute.browser._engine import Engine, Interrupted, Scrolled
from refute.browser._fields import Fields
from refute.browser._keys import key_name
from refute.browser._mouse import Mouse
from refute.browser._navigate import Navigator
from refute.browser._observe import Observer
from refute.browser._outcome import Cause, Outcome
from refute.browser._redactor import Redactor
from refute.browser._refused import LOOK_AGAIN, TRY_AGAIN, Refused, outcome_of
from refute.browser._tabs import Tabs
from refute.browser._target import PROBE, Target, Targets

SHARE = 0.8
"""Part of the visible height or width that one scroll moves by."""
_ENDS = {"down": "bottom", "up": "top", "left": "left end", "right": "right end"}


class Actor:
    """Acts on the active tab of one session."""

    def __init__(
        self,
        engine: Engine,
        tabs: Tabs,
        observer: Observer,
        downloads: Downloads,
        deadlines: Deadlines,
        redactor: Redactor,
    ) -> None:
        self._engine = engine
        self._tabs = tabs
        self._observer = observer
        self._deadlines = deadlines
        self._targets = Targets(engine, tabs, observer, deadlines)
        self._fields = Fields(tabs, self._targets, downloads, redactor)
        self._mouse = Mouse(tabs, self._targets)
        self._navigator = Navigator(tabs, deadlines)

    @property
    def frame(self) -> pw.Frame | None:
        """The frame that the last action worked in, when it named an element."""
        return self._targets.last.frame if self._targets.last is not None else None

    async def perform(self, action: OnPage) -> Outcome:
        """Carry out `action`; never raises for what a page or an agent does wrong. Does not wait for rest."""
        self._targets.last = None
        try:
            what = f"{action.name} on {self._tabs.url}"
            return Outcome(detail=await within(self._deadlines.action, self._dispatch(action), what=what))
        except Refused as refused:
            return refused.outcome
        except Interrupted:
            self._tabs.check()
            return Refused(Cause.STALE, "the page changed while the action was under way", LOOK_AGAIN).outcome
        except BrowserTimeout as error:
            return Refused(Cause.TIMEOUT, str(error), TRY_AGAIN).outcome
        except PageCrashed as error:
            return Refused(Cause.CRASHED, str(error)).outcome
        except pw.Error as error:
            self._tabs.check()
            return await self._explain(error)

    async def _explain(self, error: pw.Error) -> Outcome:
        """What a failed call means; an element that took its time may have left the page meanwhile."""
        outcome, target = outcome_of(error), self._targets.last
        if outcome.cause in (Cause.TIMEOUT, Cause.COVERED, Cause.HIDDEN) and target is not None:
            try:
                if await self._targets.look_again(target) is None:
                    return Refused(Cause.STALE, f"{target} left the page", LOOK_AGAIN).outcome
            except (Interrupted, BrowserTimeout, PageCrashed):
                return outcome
        return outcome

    async def _dispatch(self, action: OnPage) -> str:
        await self._mouse.release()
        match action:
            case Click() | DoubleClick() | RightClick() | Hover():
                return await self._point(action)
            case Fill():
                return await self._fields.fill(action)
            case Type():
                return await self._fields.type(action)
            case Select():
                return await self._fields.select(action)
            case Check():
                return await self._fields.check(action)
            case Upload():
                return await self._fields.upload(action)
            case Press():
                return await self._press(action)
            case Scroll():
                return await self._scroll(action)
            case Drag():
                return await self._mouse.drag(action)
            case DragBy():
                return await self._mouse.drag_by(action)
            case ClickAt():
                return await self._mouse.click_at(action)
            case HoverAt():
                return await self._mouse.hover_at(action)
            case DragAt():
                return await self._mouse.drag_at(action)
            case Goto():
                return await self._navigator.goto(action)
            case Back():
                return await self._navigator.back()
            case Forward():
                return await self._navigator.forward()
            case Reload():
                return await self._navigator.reload()
            case NewTab():
                return await self._navigator.new_tab(action)
            case FocusTab():
                return await self._navigator.focus_tab(action)
            case CloseTab():
                return await self._navigator.close_tab(action)

    async def _point(self, action: Click | DoubleClick | RightClick | Hover) -> str:
        target = await self._targets.find(action.target, to_click=isinstance(action, Click))
        if isinstance(action, Hover):
            call = target.locator.hover(timeout=target.patience, **await target.grip())
            await self._targets.carry_out(call, f"hovering over {target}")
            return ""
        if target.facts.tag == "option":
            raise Refused(Cause.INVALID, f"{target} is an option", "Use select on the list that it belongs to.")
        target.refuse_disabled()
        tabs = self._tabs.count
        await self._targets.carry_out(_click(action, target), f"clicking {target}")
        if target.facts.opens_tab and isinstance(action, Click):
            await self._tabs.wait_for_new(tabs)
        return await self._targets.after_click(target) if isinstance(action, Click) else ""

    async def _press(self, action: Press) -> str:
        key = key_name(action.key)
        if action.target is None:
            await self._targets.carry_out(self._tabs.active.keyboard.press(key), f"pressing {key}")
            return ""
        target = await self._targets.find(action.target)
        target.refuse_disabled()
        await self._targets.carry_out(target.locator.press(key, timeout=target.patience), f"pressing {key} on {target}")
        return ""

    async def _scroll(self, action: Scroll) -> str:
        frame, number = self._tabs.active.main_frame, 0
        if action.target is not None:
            target = await self._targets.find(action.target)
            inner = await self._observer.content_of(action.target) if target.facts.tag in ("iframe", "frame") else None
            frame, number = (inner, 0) if inner is not None else (target.frame, action.target)
        share = SHARE if action.direction in ("down", "right") else -SHARE
        axis = "y" if action.direction in ("down", "up") else "x"
        command = {"do": "scroll", "id": number, "share": share, "axis": axis}
        moved = (await self._engine.ask(frame, Scrolled, command, seconds=PROBE)).moved
        if moved is None:
            raise Refused(Cause.STALE, f"element [{number}] is not on the page any more", LOOK_AGAIN)
        if moved:
            return f"scrolled by {abs(moved)} px"
        return f"nothing moved: it is at the {_ENDS[action.direction]} already"


async def _click(action: Click | DoubleClick | RightClick, target: Target) -> None:
    grip = await target.grip()
    match action:
        case Click():
            await target.locator.click(timeout=target.patience, **grip)
        case DoubleClick():
            await target.locator.dblclick(timeout=target.patience, **grip)
        case RightClick():
            await target.locator.click(timeout=target.patience, button="right", **grip)
