"""Names of keys as people and models write them."""

from __future__ import annotations

import re

_NAMED = (
    "Enter Tab Escape Backspace Delete Insert Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight Space "
    "Control Shift Alt Meta ContextMenu CapsLock F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"
)
_ALIASES = {
    "return": "Enter",
    "esc": "Escape",
    "del": "Delete",
    "ins": "Insert",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "pgdown": "PageDown",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "spacebar": "Space",
    "ctrl": "Control",
    "option": "Alt",
    "cmd": "Meta",
    "command": "Meta",
    "win": "Meta",
} | {name.lower(): name for name in _NAMED.split()}


def key_name(key: str) -> str:
    """The name that Playwright knows: ``ctrl+a`` is ``Control+a``. What is not known stays as it is."""
    if len(key.strip()) <= 1:
        return key
    parts = re.split(r"(?<=[^+])\+(?=.)", key.strip())
    return "+".join(_ALIASES.get(part.strip().lower(), part.strip()) for part in parts)
