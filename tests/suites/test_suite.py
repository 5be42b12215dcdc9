"""Choosing tasks of a suite."""

from __future__ import annotations

from refute.arena import site
from refute.suites import arena_suite


def test_one_each_has_a_task_of_every_template() -> None:
    suite = arena_suite(site("shop"))
    few = suite.one_each()
    templates = [task.template for task in few.tasks]
    assert sorted(templates) == sorted({task.template for task in suite.tasks})
    assert len(few.tasks) < len(suite.tasks)
