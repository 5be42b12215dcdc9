"""The arena: bundled sites (real applications with seeded data), their truth, their tasks and their oracles."""

from refute.arena._environment import Environment, Progress, end_group, own_environment, quiet
from refute.arena._fault import Fault, FaultKind, FaultNote, Faulty, draw_faults
from refute.arena._mutant import Mutant, MutantKind, Work
from refute.arena._oracle_agent import NoopAgent, OracleAgent
from refute.arena._procedure import Move, Procedure
from refute.arena._readiness import sites_readiness
from refute.arena._simulated import SimulatedBackend
from refute.arena._simulated_dice import Dice, state_of
from refute.arena._simulated_inducer import SimulatedInducer
from refute.arena._simulated_judge import SimulatedJudge
from refute.arena._simulated_settings import SECONDS, JudgeNoise, MistakeRates, Noise
from refute.arena._simulated_site import Delusion, Truth
from refute.arena._simulated_wandering import neighbour, wander
from refute.arena._site import EndState, Instance, Oracle, Seen, World
from refute.arena._sites import SITES, Site, site

__all__ = [
    "SECONDS",
    "SITES",
    "Delusion",
    "Dice",
    "EndState",
    "Environment",
    "Fault",
    "FaultKind",
    "FaultNote",
    "Faulty",
    "Instance",
    "JudgeNoise",
    "MistakeRates",
    "Move",
    "Mutant",
    "MutantKind",
    "Noise",
    "NoopAgent",
    "Oracle",
    "OracleAgent",
    "Procedure",
    "Progress",
    "Seen",
    "SimulatedBackend",
    "SimulatedInducer",
    "SimulatedJudge",
    "Site",
    "Truth",
    "Work",
    "World",
    "draw_faults",
    "end_group",
    "neighbour",
    "own_environment",
    "quiet",
    "site",
    "sites_readiness",
    "state_of",
    "wander",
]
