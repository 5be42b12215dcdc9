"""Stopping a run from outside: the first signal lets the episodes at work finish, the second ends them at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_on_signals(on_stop: Callable[[], None] = lambda: None) -> Generator[asyncio.Event]:
    """While inside, the first Ctrl-C or SIGTERM calls `on_stop` and sets the event; the second cancels this task.
    Afterwards signals mean what they meant before.

    For the main thread, inside a running loop; give the event to `run_suite`.
    """
    loop, task, asked = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()

    def handle() -> None:
        if not asked.is_set():
            asked.set()
            on_stop()
        elif task is not None:
            task.cancel()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        loop.add_signal_handler(number, handle)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)  # sets the default handler, which need not be what was there
            if handler is not None:
                signal.signal(number, handler)
