"""MiniWoB++: 125 small web tasks, run natively, with solutions for many of them."""

from refute.suites.miniwob import _solve_click, _solve_drawn, _solve_fill, _solve_mail, _solve_mouse, _solve_read
from refute.suites.miniwob._coverage import Coverage, Missed, miniwob_coverage
from refute.suites.miniwob._pages import PageServer, pages_folder, prepare_pages
from refute.suites.miniwob._script import SOLUTIONS, NotOnPage, Page, Script, Solution
from refute.suites.miniwob._suite import NAMES, MiniwobPlace, miniwob_suite, miniwob_task, page_seed

__all__ = [
    "NAMES",
    "SOLUTIONS",
    "Coverage",
    "MiniwobPlace",
    "Missed",
    "NotOnPage",
    "Page",
    "PageServer",
    "Script",
    "Solution",
    "miniwob_coverage",
    "miniwob_suite",
    "miniwob_task",
    "page_seed",
    "pages_folder",
    "prepare_pages",
]

SOLUTION_MODULES = (_solve_click, _solve_drawn, _solve_fill, _solve_mail, _solve_mouse, _solve_read)
"""Importing them registers the solutions."""
