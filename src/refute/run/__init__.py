"""Running: the episode loop, experiments over suites, and the proofs of the arena's tasks."""

from refute.run._episode import Stage, run_episode
from refute.run._experiment import run_jobs, run_suite
from refute.run._folder import LOCK_FILE, claim, finished
from refute.run._goal_task import ReviseAfter, ReviseAt, goal_task
from refute.run._grid import GridPoint
from refute.run._job import Job, Progress, RunResult
from refute.run._pace import Rehearsed
from refute.run._readiness import suites_readiness
from refute.run._scaling import SHARES, Mean, Scaling, ScalingCurve, ScalingPoint, ScalingResult
from refute.run._settings import GOAL_SUITE, RUN_FILE, SIMULATED, RunRecord, RunSettings, read_run, write_run
from refute.run._single import run_single
from refute.run._solve import Solved, SolveResult, solve_suite
from refute.run._stop import stop_on_signals
from refute.run._truth import Witness
from refute.run.check import PROOFS, CheckProgress, CheckResult, Proof, TaskCheck, check_suite
from refute.suites import Ground, Suite, open_suite, suite_names

__all__ = [
    "GOAL_SUITE",
    "LOCK_FILE",
    "PROOFS",
    "RUN_FILE",
    "SHARES",
    "SIMULATED",
    "CheckProgress",
    "CheckResult",
    "GridPoint",
    "Ground",
    "Job",
    "Mean",
    "Progress",
    "Proof",
    "Rehearsed",
    "ReviseAfter",
    "ReviseAt",
    "RunRecord",
    "RunResult",
    "RunSettings",
    "Scaling",
    "ScalingCurve",
    "ScalingPoint",
    "ScalingResult",
    "SolveResult",
    "Solved",
    "Stage",
    "Suite",
    "TaskCheck",
    "Witness",
    "check_suite",
    "claim",
    "finished",
    "goal_task",
    "open_suite",
    "read_run",
    "run_episode",
    "run_jobs",
    "run_single",
    "run_suite",
    "solve_suite",
    "stop_on_signals",
    "suite_names",
    "suites_readiness",
    "write_run",
]
