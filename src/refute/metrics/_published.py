"""Arithmetic on published figures: means over domains, and relative gains."""

from __future__ import annotations

from collections.abc import Mapping


def weighted_mean(values: Mapping[str, float], weights: Mapping[str, int]) -> float:
    """Mean of `values` weighted by the number of tasks of each domain (fcpagent table 2 with the split of B.6).

    Raises `KeyError` for a domain without a weight, and `ValueError` when the weights add up to nothing.
    """
    total = sum(weights[name] for name in values)
    if not total:
        raise ValueError("a weighted mean needs at least one task")
    return sum(value * weights[name] for name, value in values.items()) / total


def relative_gain(value: float, baseline: float) -> float:
    """(value - baseline) / baseline: 0.138 for 65.3 over 57.4. Raises `ZeroDivisionError` for a baseline of 0."""
    return (value - baseline) / baseline
