"""The arena: bundled sites (real applications with seeded data), their truth, their tasks and their oracles."""

from refute.arena._environment import Environment, Progress, end_group, own_environment, quiet
from refute.arena._fault import Fault, FaultKind, FaultNote, Faulty, draw_faults
from refute.arena._mutant import Mutant, MutantKind
from refute.arena._oracle_agent import NoopAgent, OracleAgent
from refute.arena._readiness import sites_readiness
from refute.arena._simulated import SimulatedBackend
from refute.arena._simulated_inducer import SimulatedInducer
from refute.arena._simulated_judge import SimulatedJudge
from refute.arena._simulated_settings import JudgeNoise, MistakeRates, Noise
from refute.arena._site import EndState, Instance, Oracle, Seen, World
from refute.arena._sites import SITES, Site, site

__all__ = [
    "SITES",
    "EndState",
    "Environment",
    "Fault",
    "FaultKind",
    "FaultNote",
    "Faulty",
    "Instance",
    "JudgeNoise",
    "MistakeRates",
    "Mutant",
    "MutantKind",
    "Noise",
    "NoopAgent",
    "Oracle",
    "OracleAgent",
    "Progress",
    "Seen",
    "SimulatedBackend",
    "SimulatedInducer",
    "SimulatedJudge",
    "Site",
    "World",
    "draw_faults",
    "end_group",
    "own_environment",
    "quiet",
    "site",
    "sites_readiness",
]
