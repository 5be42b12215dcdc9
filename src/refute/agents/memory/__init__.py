"""Memory: skills and failure repairs, the libraries that hold them, and how an agent recalls them.

Both kinds of records are made offline from training runs and stay as they are while an agent is tested
(fcpagent §5.1, B.3, B.4).
"""

from refute.agents.memory._check import LibraryDiff, Problem, check_library, diff_libraries, raw_references, texts_of
from refute.agents.memory._library import (
    FAILURES_FILE,
    LIBRARY_FILE,
    SKILLS_FILE,
    Library,
    LibraryInfo,
    load_library,
    save_library,
)
from refute.agents.memory._recall import (
    Found,
    Memory,
    RecalledFailure,
    RecalledSkill,
    RecallSettings,
    Retrieved,
    came_along,
    diagnosis_text,
    semantic_text,
)
from refute.agents.memory._records import FailureRepair, Origin, RepairStrategy, Skill, Strategy

__all__ = [
    "FAILURES_FILE",
    "LIBRARY_FILE",
    "SKILLS_FILE",
    "FailureRepair",
    "Found",
    "Library",
    "LibraryDiff",
    "LibraryInfo",
    "Memory",
    "Origin",
    "Problem",
    "RecallSettings",
    "RecalledFailure",
    "RecalledSkill",
    "RepairStrategy",
    "Retrieved",
    "Skill",
    "Strategy",
    "came_along",
    "check_library",
    "diagnosis_text",
    "diff_libraries",
    "load_library",
    "raw_references",
    "save_library",
    "semantic_text",
    "texts_of",
]
