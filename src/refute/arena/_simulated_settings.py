"""How often the simulated model errs, how noisy its judgement is, and how slow it is. All ours and illustrative."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from refute.llm import Request, Usage


class MistakeRates(BaseModel):
    """Probability of each kind of mistake per decision of its role. The defaults give about one in 15 steps.

    The last shares but one are no mistakes of a moment but the quality of the planner's falsifiers; 0 = as the site's
    procedures have them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    wrong_element: float = Field(default=0.02, ge=0, le=1, description="per action: a plausible neighbour is clicked")
    wrong_branch: float = Field(default=0.02, ge=0, le=1, description="per action: related pages are explored instead")
    recover: float = Field(default=0.15, ge=0, le=1, description="per action on a wrong branch: finds back by itself")
    stale_procedure: float = Field(default=0.25, ge=0, le=1, description="per step planned with a stale skill at hand")
    contaminated_results: float = Field(default=0.1, ge=0, le=1, description="per plan: a wrong product gets through")
    ignored_revision: float = Field(default=0.1, ge=0, le=1, description="per delivered revision: it is overheard")
    forgotten_constraint: float = Field(default=0.05, ge=0, le=1, description="per plan: one constraint is left out")
    premature_done: float = Field(default=0.005, ge=0, le=1, description="per action: the work is said to be done")
    misread_page: float = Field(default=0.05, ge=0, le=1, description="per report: one of its values is wrong")
    broad_falsifiers: float = Field(default=0.0, ge=0, le=1, description="share that is true while all goes well")
    narrow_falsifiers: float = Field(default=0.0, ge=0, le=1, description="share that never comes true")
    missing_falsifiers: float = Field(default=0.0, ge=0, le=1, description="share that the planner leaves out")
    unparsable: float = Field(default=0.01, ge=0, le=1, description="per reply: prose that cannot be read")

    @model_validator(mode="after")
    def _shares(self) -> Self:
        if self.broad_falsifiers + self.narrow_falsifiers + self.missing_falsifiers > 1:
            raise ValueError("the shares of broad, narrow and missing falsifiers are more than all of them")
        return self

    @classmethod
    def none(cls) -> MistakeRates:
        """No mistakes at all."""
        return cls(**dict.fromkeys(cls.model_fields, 0.0))


class Noise(BaseModel):
    """The noisy channel through which judging roles see the truth (the papers give task-level figures only)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verifier_sensitivity: float = Field(default=0.9, ge=0, le=1, description="P(says repair | off track)")
    verifier_specificity: float = Field(default=0.97, ge=0, le=1, description="P(does not say repair | on track)")
    completion_sensitivity: float = Field(default=0.97, ge=0, le=1, description="P(says advance | finished)")
    completion_specificity: float = Field(default=0.99, ge=0, le=1, description="P(does not say advance | unfinished)")
    scope_accuracy: float = Field(default=0.85, ge=0, le=1, description="P(names the right scope | says repair)")
    trigger_sensitivity: float = Field(default=0.95, ge=0, le=1, description="P(fires | milestone reached)")
    trigger_specificity: float = Field(default=0.99, ge=0, le=1, description="P(does not fire | not reached)")
    interpreter_recall: float = Field(default=0.97, ge=0, le=1, description="P(a constraint is read | it is there)")
    checker_sensitivity: float = Field(default=0.9, ge=0, le=1, description="P(says violated | violated, shown)")
    checker_specificity: float = Field(default=0.98, ge=0, le=1, description="P(says met | met, shown)")

    @classmethod
    def none(cls) -> Noise:
        """A clear view."""
        return cls(**dict.fromkeys(cls.model_fields, 1.0))


class JudgeNoise(BaseModel):
    """The noisy channel through which the simulated judge sees the recorded truth. Ours, and illustrative."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sensitivity: float = Field(default=0.92, ge=0, le=1, description="P(says satisfied | satisfied)")
    specificity: float = Field(default=0.92, ge=0, le=1, description="P(says unsatisfied | unsatisfied)")
    branch_reported: float = Field(default=0.9, ge=0, le=1, description="P(finds the condition's outcome in a message)")
    branch_accuracy: float = Field(default=0.97, ge=0, le=1, description="P(the outcome is the true one | found)")
    response_sensitivity: float = Field(default=0.9, ge=0, le=1, description="P(says responsive | revision taken in)")
    response_specificity: float = Field(default=0.9, ge=0, le=1, description="P(says not | revision overheard)")
    unparsable: float = Field(default=0.01, ge=0, le=1, description="per reply: prose that cannot be read")

    @classmethod
    def none(cls) -> JudgeNoise:
        """A clear view."""
        return cls(**{**dict.fromkeys(cls.model_fields, 1.0), "unparsable": 0.0})


SECONDS: Mapping[str, float] = {
    "planner": 9.0,
    "executor": 4.0,
    "verifier": 5.0,
    "repairer": 9.0,
    "reviser": 9.0,
    "summariser": 3.0,
    "interpreter": 3.0,
    "final_checker": 6.0,
    "milestone_trigger": 3.0,
    "instruction_rewriter": 4.0,
    "claim_generator": 6.0,
    "simple_claim_verifier": 3.0,
    "web_evidence_verifier": 4.0,
    "trajectory_verifier": 6.0,
    "branch_resolver": 3.0,
    "response_judge": 4.0,
    "skill_inducer": 9.0,
    "failure_inducer": 9.0,
}
"""Virtual seconds that a reply takes, by role."""

CHARACTERS_PER_TOKEN = 4
"""What stands in for a tokenizer."""


def usage_of(request: Request, reply: str) -> Usage:
    """The tokens that a simulated model is said to have read and written."""
    return Usage(
        input_tokens=len(request.system + request.user) // CHARACTERS_PER_TOKEN,
        output_tokens=max(1, len(reply) // CHARACTERS_PER_TOKEN),
        estimated=True,
    )
