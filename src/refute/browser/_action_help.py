"""The valid forms of actions, as prompts and error messages show them."""

from __future__ import annotations

import re
from collections.abc import Collection

ACTION_HELP = """\
click('12')                click element 12
double_click('12')         click it twice; right_click('12') and hover('12') are written alike
fill('12', 'text')         replace what is in field 12 (text, date, number, colour); sends nothing
type('12', 'text')         type key by key, after what is there; type('text') where the focus is
press('Enter')             press a key or chord where the focus is; press('12', 'Enter') on element 12
select('12', 'option')     choose an option of list 12 by its visible label; ('12', 'one', 'two') where it takes several
check('12')                set a checkbox, switch or radio; uncheck('12') clears it
upload('12', 'name')       give file field 12 a file that the task names or that was downloaded
drag('12', '15')           drag element 12 onto element 15; drag_by('12', 40, -10) by pixels right and down
scroll('down')             scroll by most of what is in view, also 'up', 'left', 'right'; scroll('down', '12') inside 12
click_at(120, 300)         click a point of the window, as on a canvas; hover_at(120, 300) moves the mouse there
drag_at(20, 20, 120, 60)   drag from a point of the window over others to the last
goto('http://…')           open an address in this tab
back()                     go back one page; forward() goes forward, reload() loads the page anew
new_tab('http://…')        open an address in a new tab; focus_tab(2) brings tab 2 to the front, close_tab(2) closes it
answer_dialog('accept')    accept an open dialog; ('accept', 'text') answers its question, ('dismiss') declines
wait(2)                    let seconds go by, at most 10
note('text')               write something down for later; the page is not touched
send_message('text')       tell the user something and go on
done('message')            the goal is met: report to the user
infeasible('reason')       the goal cannot be met: say why"""
"""All forms, one a line."""

FORMS = {
    "click": "click('12')",
    "double_click": "double_click('12')",
    "right_click": "right_click('12')",
    "hover": "hover('12')",
    "fill": "fill('12', 'text')",
    "type": "type('12', 'text') or type('text')",
    "press": "press('Enter') or press('12', 'Enter')",
    "select": "select('12', 'option')",
    "check": "check('12')",
    "uncheck": "uncheck('12')",
    "upload": "upload('12', 'name')",
    "drag": "drag('12', '15')",
    "drag_by": "drag_by('12', 40, -10)",
    "scroll": "scroll('down'), scroll('up') or scroll('down', '12')",
    "click_at": "click_at(120, 300)",
    "hover_at": "hover_at(120, 300)",
    "drag_at": "drag_at(20, 20, 120, 60)",
    "goto": "goto('http://…')",
    "back": "back()",
    "forward": "forward()",
    "reload": "reload()",
    "new_tab": "new_tab('http://…') or new_tab()",
    "focus_tab": "focus_tab(2)",
    "close_tab": "close_tab() or close_tab(2)",
    "answer_dialog": "answer_dialog('accept'), answer_dialog('accept', 'text') or answer_dialog('dismiss')",
    "wait": "wait(2)",
    "note": "note('text')",
    "send_message": "send_message('text')",
    "done": "done('message')",
    "infeasible": "infeasible('reason')",
}
"""How each action is written."""


def action_help(names: Collection[str] | None = None) -> str:
    """The valid forms, one a line, for prompts; `names`: only lines that show one of these actions.

    Actions of a kind share a line. Raises `ValueError` for a name that is no action's.
    """
    if names is None:
        return ACTION_HELP
    unknown = sorted(set(names) - set(FORMS))
    if unknown:
        raise ValueError(f"no such actions: {', '.join(unknown)}")
    return "\n".join(line for line in ACTION_HELP.splitlines() if set(names) & set(re.findall(r"(\w+)\(", line)))
