"""The report: the main figures for a terminal or a program, views of many questions, and pages for a person.

A reader of traces only.
"""

from refute.report._judged import judge_figures, judge_table
from refute.report._pages import write_report
from refute.report._summary import SIMULATED, summary, summary_markdown, summary_table
from refute.report.views import (
    VIEWS,
    View,
    ViewOptions,
    latex,
    make_view,
    markdown,
    scaling_view,
    terminal,
    view_csv,
    view_json,
    write_figures,
)

__all__ = [
    "SIMULATED",
    "VIEWS",
    "View",
    "ViewOptions",
    "judge_figures",
    "judge_table",
    "latex",
    "make_view",
    "markdown",
    "scaling_view",
    "summary",
    "summary_markdown",
    "summary_table",
    "terminal",
    "view_csv",
    "view_json",
    "write_figures",
    "write_report",
]
