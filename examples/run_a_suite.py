"""Run a suite and print its figures. The model is simulated here: no key, and no statement about a real model.

python examples/run_a_suite.py [TASKS]     (a pattern such as wish-list.*; needs `refute arena setup shop` once)
"""

import asyncio
import sys
from pathlib import Path

from refute.arena import MistakeRates, Noise
from refute.report import summary, write_report
from refute.run import RunSettings, open_suite, run_suite

OUT = Path("out/example")

suite = open_suite("arena:shop").select(sys.argv[1] if len(sys.argv) > 1 else None)
settings = RunSettings(suite=suite.name, agent="fcp", model="simulated", rates=MistakeRates(), noise=Noise())
asyncio.run(run_suite(suite, settings, OUT, workers=2, on_progress=lambda at: print(at.task, at.step, at.text)))

figures = summary(OUT)
print(f"{figures['episodes']} episodes, simulated model: {figures['simulated']}")
print(f"score {figures['score']:.3f}, of {figures['revisions']} revisions {figures['delivered']} were delivered")
print(f"report: {write_report(OUT)}")
