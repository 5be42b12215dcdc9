"""Read a trace: what happened in an episode, without the agent, the browser, or the model.

python examples/read_a_trace.py FOLDER     (one that holds events.jsonl, such as out/demo/RUN/TASK/0)
"""

import sys
from collections import Counter
from pathlib import Path

from refute.browser import Acted
from refute.revisions import EpisodeEnded, EpisodeStarted
from refute.trace import read_trace

trace = read_trace(Path(sys.argv[1]))

started = trace.of(EpisodeStarted)[-1]
print(f"{started.agent} with {started.model}: {started.task.initial_instruction}")
for action in trace.of(Acted):
    print(f"  {action.step:>3}  {action.text} {action.target}{'' if action.outcome.ok else '  (failed)'}")
for ended in trace.of(EpisodeEnded):
    print(f"{ended.ending}: {ended.message}")
print(", ".join(f"{count} × {kind}" for kind, count in Counter(event.kind for event in trace.events).most_common()))
