"""Time and limits: the clock (real or virtual) and what an episode may spend."""

from refute.budget._clock import Clock, RealClock, VirtualClock
from refute.budget._limits import Budget, Limits, Spent

__all__ = ["Budget", "Clock", "Limits", "RealClock", "Spent", "VirtualClock"]
