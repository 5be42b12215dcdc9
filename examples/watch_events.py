"""Watch a run while it goes on: every event of the trace, as it is written.

python examples/watch_events.py URL MODEL [BASE_URL]
"""

import asyncio
import sys

from refute import run_goal
from refute.agents import CommitmentStatus, Verified
from refute.browser import Acted
from refute.trace import Event


def show(event: Event) -> None:
    """Print the events that tell the story; there are others (see docs/trace.md)."""
    if isinstance(event, Acted):
        print(f"step {event.step}: {event.text} {event.target}")
    elif isinstance(event, Verified):
        print(f"        tested: {event.decision} ({event.reason})")
    elif isinstance(event, CommitmentStatus):
        print(f"        commitment {event.number} is {event.status}")


async def main(url: str, model: str, base_url: str | None = None) -> None:
    """Run and report."""
    result = await run_goal("What colour is the Arbor lamp?", url=url, model=model, base_url=base_url, on_event=show)
    print(result.message)


asyncio.run(main(*sys.argv[1:]))
