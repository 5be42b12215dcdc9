"""Work on one goal, and see what was confirmed.

    python examples/run_a_goal.py URL MODEL [BASE_URL]

MODEL is a name such as openai-chat:gpt-5-mini; BASE_URL the address of a server of your own.
"""

import sys

import refute

url, model, *rest = sys.argv[1:]
result = refute.run_goal_sync(
    "What colour is the Arbor lamp?", url=url, model=model, base_url=rest[0] if rest else None
)

print(f"{result.conclusion}: {result.message}")
for step in result.confirmed:
    print(f"  confirmed      {step}  ({step.evidence})")
for step in result.unconfirmed:
    print(f"  not confirmed  {step}")
print(f"{result.steps} steps, {result.tokens} tokens; see {result.report}")
