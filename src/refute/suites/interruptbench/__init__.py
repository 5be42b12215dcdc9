"""InterruptBench (arXiv 2604.00892): its records as dynamic tasks, and what is odd about them."""

from refute.suites.interruptbench._lint import Finding, Linted, Rule, Severity, lint
from refute.suites.interruptbench._milestones import Milestones, read_milestones
from refute.suites.interruptbench._reading import parse_records, read_records, types_in_name
from refute.suites.interruptbench._records import FILES, Reading, Record, RowProblem, Trouble, Update, UpdateType
from refute.suites.interruptbench._suite import DATA, KIND, Import, interruptbench_suite, record_files
from refute.suites.interruptbench._tasks import import_record, import_records
from refute.suites.interruptbench._webarena import webarena_tasks

__all__ = [
    "DATA",
    "FILES",
    "KIND",
    "Finding",
    "Import",
    "Linted",
    "Milestones",
    "Reading",
    "Record",
    "RowProblem",
    "Rule",
    "Severity",
    "Trouble",
    "Update",
    "UpdateType",
    "import_record",
    "import_records",
    "interruptbench_suite",
    "lint",
    "parse_records",
    "read_milestones",
    "read_records",
    "record_files",
    "types_in_name",
    "webarena_tasks",
]
