"""Learning: finished runs in, a library of skills and failure repairs out. Offline, before anything is tested."""

from refute.learn._learn import Learned, LearnProgress, learn
from refute.learn._lessons import Lesson, Lessons, Split, nothing_to_learn, read_lessons
from refute.learn._roles import (
    FAILURE_INDUCER,
    SKILL_INDUCER,
    FailureDraft,
    FailureInducerInput,
    FailureInducerOutput,
    SkillDraft,
    SkillInducerInput,
    SkillInducerOutput,
)
from refute.learn._trajectory import Act, Mended, Part, Trajectory, read_trajectory

__all__ = [
    "FAILURE_INDUCER",
    "SKILL_INDUCER",
    "Act",
    "FailureDraft",
    "FailureInducerInput",
    "FailureInducerOutput",
    "LearnProgress",
    "Learned",
    "Lesson",
    "Lessons",
    "Mended",
    "Part",
    "SkillDraft",
    "SkillInducerInput",
    "SkillInducerOutput",
    "Split",
    "Trajectory",
    "learn",
    "nothing_to_learn",
    "read_lessons",
    "read_trajectory",
]
