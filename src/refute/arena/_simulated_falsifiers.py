"""How good the simulated planner's falsifiers are; the paper names broad and narrow ones as its main limitation."""

from __future__ import annotations

from refute.agents import Falsifier, Stage
from refute.arena._procedure import Procedure
from refute.arena._simulated_dice import Dice
from refute.arena._simulated_settings import MistakeRates

_NEVER = "and the page says that this very step has failed for good"


def flawed(step: Procedure, dice: Dice, rates: MistakeRates) -> tuple[Falsifier, ...]:
    """The falsifiers of `step`, some of them left out, too broad or too narrow, as the rates say.

    A broad one says what is seen while all goes well; a narrow one asks for something more that never happens. The same
    step has the same flaws whenever it is planned.
    """
    well = next((c.statement for c in step.confirming() if c.stage is Stage.PROGRESS), "The page is open")
    kept: list[Falsifier] = []
    for falsifier in step.falsifying():
        roll = dice.roll(f"falsifier {falsifier.statement}", step.sentence())
        if roll < rates.missing_falsifiers:
            continue
        roll -= rates.missing_falsifiers
        if roll < rates.broad_falsifiers:
            kept.append(Falsifier(scope=falsifier.scope, statement=well))
        elif roll < rates.broad_falsifiers + rates.narrow_falsifiers:
            narrow = f"{falsifier.statement}, {_NEVER}"
            kept.append(falsifier.model_copy(update={"statement": narrow}))
        else:
            kept.append(falsifier)
    return tuple(dict.fromkeys(kept))
