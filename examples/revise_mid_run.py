"""Change the goal while the agent is at work, and see what became of the plan.

python examples/revise_mid_run.py URL MODEL [BASE_URL]
"""

import sys

import refute
from refute.agents import Planned
from refute.trace import read_trace

url, model, *rest = sys.argv[1:]
result = refute.run_goal_sync(
    "What colour is the Arbor lamp?",
    url=url,
    model=model,
    base_url=rest[0] if rest else None,
    revise_after=[(1, "Also tell me its price.")],  # before the action after step 1
)

for plan in read_trace(result.folder).of(Planned):
    print(f"step {plan.step}, plan by {plan.reason} for goal version {plan.goal_version}:")
    for commitment in plan.commitments:
        print(f"  {commitment.number}. {commitment.subgoal}")
print(f"{result.conclusion}: {result.message}")
