"""The shop's staff: what they can change, the tasks' words for it, and who knows the way through the dashboard."""

from refute.arena.shop.dashboard._mutants import staff_mutants
from refute.arena.shop.dashboard._oracle import StaffOracle
from refute.arena.shop.dashboard._procedures import STAFF_PROCEDURES
from refute.arena.shop.dashboard._simulated import StaffTruth, staff_skills
from refute.arena.shop.dashboard._world import StaffWorld

__all__ = ["STAFF_PROCEDURES", "StaffOracle", "StaffTruth", "StaffWorld", "staff_mutants", "staff_skills"]
