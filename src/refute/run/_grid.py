"""A grid of simulated mistake and recovery rates: a comparison under simulation is a curve, never one point."""

from __future__ import annotations

import re
from dataclasses import dataclass

from refute._errors import UserError
from refute.arena import MistakeRates


@dataclass(frozen=True, kw_only=True)
class GridPoint:
    """One setting of the simulated model's mistakes."""

    scale: float = 1.0
    """Factor on the default rate of every kind of mistake; a rate never exceeds 1."""
    recover: float = MistakeRates().recover
    """Probability, per action on a wrong branch, of finding back by itself."""

    @classmethod
    def parse(cls, text: str) -> GridPoint:
        """From ``SCALE:RECOVER``, such as ``2:0.05``. Raises `UserError` for anything else."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)", text.strip())
        point = cls(scale=float(match[1]), recover=float(match[2])) if match else None
        if point is None or point.recover > 1:
            raise UserError(
                f"{text!r} is no point of a grid: give SCALE:RECOVER, such as 2:0.05 (twice the mistakes, and a chance "
                "of 0.05 per action to find back alone)"
            )
        return point

    @property
    def name(self) -> str:
        """Name of its folder."""
        return f"mistakes-x{self.scale:g}-recover-{self.recover:g}"

    @property
    def rates(self) -> MistakeRates:
        """The rates at this point; replies that cannot be read stay as frequent as they are."""
        rates = MistakeRates().model_dump()
        kept = {"recover": self.recover, "unparsable": rates["unparsable"]}
        return MistakeRates(**{name: min(1.0, rate * self.scale) for name, rate in rates.items()} | kept)
