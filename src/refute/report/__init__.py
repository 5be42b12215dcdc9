"""The report: the main figures for a terminal or a program, and pages for a person. A reader of traces only."""

from refute.report._judged import judge_figures, judge_table
from refute.report._pages import write_report
from refute.report._summary import SIMULATED, summary, summary_markdown, summary_table

__all__ = ["SIMULATED", "judge_figures", "judge_table", "summary", "summary_markdown", "summary_table", "write_report"]
