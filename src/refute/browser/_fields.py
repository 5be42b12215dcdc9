"""Actions on the controls of forms: fields, lists, boxes, files."""

from __future__ import annotations

from pathlib import Path

import playwright.async_api as pw

from refute.browser._action import Check, Fill, Select, Type, Upload
from refute.browser._downloads import Downloads
from refute.browser._engine import Option
from refute.browser._outcome import Cause
from refute.browser._redactor import Redactor
from refute.browser._refused import Refused, outcome_of
from refute.browser._secrets import PLACEHOLDER, SecretRefused
from refute.browser._tabs import Tabs
from refute.browser._target import Target, Targets

SHOWN = 40
"""Options that a hint lists at most."""
PER_KEY = 50
"""Milliseconds more for every key that is typed."""
_VALUED = frozenset({"color", "range", "date", "time", "datetime-local", "month", "week", "number"})
"""Types of inputs whose value has a form of its own."""
BLACK = "#000000"
"""What a colour field makes of words that it does not know."""
_FORMS = {
    "color": "Write a colour as #1e90ff.",
    "date": "Write a date as 2026-12-31 (year-month-day).",
    "time": "Write a time as 13:45.",
    "datetime-local": "Write date and time as 2026-12-31T13:45.",
    "month": "Write a month as 2026-12.",
    "week": "Write a week as 2026-W53.",
    "number": "Write a number with digits only.",
}


class Fields:
    """The form controls of one session's active tab."""

    def __init__(self, tabs: Tabs, targets: Targets, downloads: Downloads, redactor: Redactor) -> None:
        self._tabs = tabs
        self._targets = targets
        self._downloads = downloads
        self._redactor = redactor

    async def fill(self, action: Fill) -> str:
        """Replace the value of a field at once."""
        target = await self._targets.find(action.target)
        _refuse_unfillable(target)
        text = self._revealed(action.text, target)
        call = target.locator.fill(text, timeout=target.patience)
        if target.facts.type not in _VALUED:
            await self._targets.carry_out(call, f"filling {target}")
            return ""
        refusal = f'{target} of type {target.facts.type} does not take "{action.text}"'
        try:
            await self._targets.carry_out(call, f"filling {target}")
        except pw.Error as error:
            if outcome_of(error).cause is not Cause.NOT_FILLABLE:
                raise
            raise Refused(Cause.NOT_FILLABLE, refusal, _form_of(target)) from error
        after = await self._targets.look_again(target)
        if after is None or after.value.casefold() == text.strip().casefold():
            return ""
        if target.facts.type == "color" and after.value != BLACK:
            return f"it holds {after.value} now"
        holds = f': it holds "{after.value}" now' if after.value and text == action.text else ""
        raise Refused(Cause.NOT_FILLABLE, refusal + holds, _form_of(target))

    async def type(self, action: Type) -> str:
        """Type key by key; keys go where the focus is, also when the page moves it meanwhile."""
        if action.target is None:
            call = self._tabs.active.keyboard.type(self._revealed(action.text, None))
            await self._targets.carry_out(call, "typing")
            return ""
        target = await self._targets.find(action.target)
        target.refuse_disabled()
        if target.facts.filled:
            await target.locator.press("Control+End", timeout=target.patience)
        text = self._revealed(action.text, target)
        patience = target.patience + PER_KEY * len(text)
        call = target.locator.press_sequentially(text, timeout=patience)
        await self._targets.carry_out(call, f"typing in {target}")
        return ""

    def _revealed(self, text: str, target: Target | None) -> str:
        """`text` with the secrets in it, for the document that `target` is in."""
        if PLACEHOLDER.search(text) is None:
            return text
        if target is None:
            raise Refused(Cause.BLOCKED, "a secret is typed into a field only", "Name the field's number.")
        try:
            return self._redactor.reveal(text, target.frame.url, target.number)
        except SecretRefused as refused:
            hint = "A secret is typed by its name, and only into pages of the hosts that it is for."
            raise Refused(Cause.BLOCKED, str(refused), hint) from refused

    async def select(self, action: Select) -> str:
        """Choose options of a native list."""
        target = await self._targets.find(action.target)
        options = target.facts.options
        if options is None:
            hint = "Click it to open its choices, then click the choice."
            raise Refused(Cause.INVALID, f"{target} is not a native list of options", hint)
        target.refuse_disabled()
        if action.more and not target.facts.multiple:
            raise Refused(Cause.INVALID, f"{target} takes one option only")
        chosen = [_choice(target, options, wanted) for wanted in (action.option, *action.more)]
        call = target.locator.select_option(index=chosen, timeout=target.patience)
        await self._targets.carry_out(call, f"selecting in {target}")
        return ""

    async def check(self, action: Check) -> str:
        """Set or clear a box; what is so already is left alone."""
        target = await self._targets.find(action.target)
        facts = target.facts
        word = "checked" if action.checked else "unchecked"
        if facts.checked is None:
            raise Refused(Cause.INVALID, f"{target} cannot be checked or unchecked", "Use click instead.")
        if facts.checked is action.checked:
            return f"{target} was {word} already"
        target.refuse_disabled()
        if facts.role == "radio" and not action.checked:
            raise Refused(Cause.INVALID, f"{target} is a radio button", "Check another one of its group instead.")
        by_label = facts.hidden_control and facts.has_label
        locator = self._targets.label_of(target) if by_label else target.locator
        await self._targets.carry_out(locator.click(timeout=target.patience), f"clicking {target}")
        after = await self._targets.look_again(target)
        if after is not None and after.checked is not action.checked:
            raise Refused(Cause.INVALID, f"{target} did not become {word} when clicked", "Try another way.")
        return ""

    async def upload(self, action: Upload) -> str:
        """Give files of the task, or downloads, to a file field or to what opens one."""
        target = await self._targets.find(action.target)
        names = (action.file, *action.more)
        paths = [self._path(name) for name in names]
        target.refuse_disabled()
        if target.facts.type != "file":
            await self._targets.carry_out(self._upload_by_click(target, paths), f"uploading by {target}")
            return ""
        if len(names) > 1 and not target.facts.multiple:
            raise Refused(Cause.INVALID, f"{target} takes one file only")
        await self._targets.carry_out(
            target.locator.set_input_files(paths, timeout=target.patience), f"uploading to {target}"
        )
        return ""

    async def _upload_by_click(self, target: Target, paths: list[Path]) -> None:
        try:
            async with self._tabs.active.expect_file_chooser(timeout=target.patience) as chooser:
                await target.locator.click(timeout=target.patience)
        except pw.TimeoutError as error:
            if "filechooser" not in error.message:
                raise
            raise Refused(Cause.INVALID, f"{target} takes no files", "Choose a file field.") from None
        await (await chooser.value).set_files(paths, timeout=target.patience)

    def _path(self, name: str) -> Path:
        path = self._downloads.file(name)
        if path is None:
            names = ", ".join(f'"{n}"' for n in self._downloads.names)
            raise Refused(
                Cause.NO_SUCH_OPTION,
                f'there is no file "{name}" to upload',
                f"There are: {names}." if names else "This task comes with no files.",
            )
        return path


def _refuse_unfillable(target: Target) -> None:
    facts = target.facts
    if facts.options is not None:
        raise Refused(Cause.NOT_FILLABLE, f"{target} is a list of options", "Use select with one of its options.")
    if facts.type == "file":
        raise Refused(Cause.NOT_FILLABLE, f"{target} takes files", "Use upload.")
    if facts.checked is not None:
        raise Refused(Cause.NOT_FILLABLE, f"{target} takes no text", "Use check or uncheck.")
    if not facts.fillable and facts.type not in _VALUED:
        hint = "Press arrow keys on it, or drag it." if facts.role == "slider" else "Choose a text field."
        raise Refused(Cause.NOT_FILLABLE, f"{target} takes no text", hint)
    target.refuse_disabled()
    if facts.readonly:
        hint = "Click it: the page may offer another way, such as a calendar."
        raise Refused(Cause.NOT_FILLABLE, f"{target} is read-only", hint)


def _form_of(target: Target) -> str:
    facts = target.facts
    form = "Write a number." if facts.type == "range" else _FORMS.get(facts.type, "")
    if facts.min or facts.max:
        form += f" It goes from {facts.min or 'anything'} to {facts.max or 'anything'}."
    if facts.step and facts.step != "any":
        form += f" In steps of {facts.step}."
    return form.strip()


def _choice(target: Target, options: list[Option], wanted: str) -> int:
    index = find_option(options, wanted)
    if index is None:
        labels = [f'"{option.label}"' for option in options]
        shown = ", ".join(labels[:SHOWN]) + (f" … {len(labels)} in all" if len(labels) > SHOWN else "")
        raise Refused(Cause.NO_SUCH_OPTION, f'{target} has no option "{wanted}"', f"It has: {shown}.")
    if options[index].disabled:
        raise Refused(Cause.DISABLED, f'option "{options[index].label}" of {target} is disabled')
    return index


def find_option(options: list[Option], wanted: str) -> int | None:
    """The option with this label: letter for letter, or else the only one that differs in case and spacing."""
    labels = [option.label for option in options]
    if wanted in labels:
        return labels.index(wanted)
    folded = " ".join(wanted.split()).casefold()
    same = [i for i, label in enumerate(labels) if label.casefold() == folded]
    return same[0] if len(same) == 1 else None
