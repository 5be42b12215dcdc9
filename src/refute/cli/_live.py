"""Revisions that are typed while the agent runs: each line of the standard input is one."""

from __future__ import annotations

import sys
import threading
from typing import TextIO

from refute.revisions import Inbox


def listen(inbox: Inbox, lines: TextIO | None = None) -> None:
    """Put each line of `lines` (None = the standard input) into `inbox` until it ends; returns at once.

    The thread is a daemon: reading a terminal cannot be interrupted, and must not keep the program from ending.
    """
    threading.Thread(target=_read, args=(inbox, lines or sys.stdin), name="revisions", daemon=True).start()


def _read(inbox: Inbox, lines: TextIO) -> None:
    for line in lines:
        inbox.put(line)
