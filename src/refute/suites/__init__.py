"""Suites: the bundled sites and public benchmarks, each as tasks with places where their episodes begin."""

from refute.suites._arena import arena_suite
from refute.suites._open import open_suite, prepare_suite, suite_names
from refute.suites._reward import Rewarded, RewardWorld, is_drawn, with_instruction
from refute.suites._solver import SolverAgent, solution_for
from refute.suites._suite import Ground, Look, Place, Start, Suite
from refute.suites.interruptbench import DATA, Import

__all__ = [
    "DATA",
    "Ground",
    "Import",
    "Look",
    "Place",
    "RewardWorld",
    "Rewarded",
    "SolverAgent",
    "Start",
    "Suite",
    "arena_suite",
    "is_drawn",
    "open_suite",
    "prepare_suite",
    "solution_for",
    "suite_names",
    "with_instruction",
]
