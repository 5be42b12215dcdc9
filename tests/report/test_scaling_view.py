"""The view of experience scaling."""

from __future__ import annotations

from refute.report import scaling_view, view_json
from refute.run import Mean, ScalingCurve, ScalingPoint, ScalingResult

NOTHING = Mean(value=None, low=None, high=None)


def point(share: int, with_failures: float, alone: float) -> ScalingPoint:
    def curve(agent: str, value: float) -> ScalingCurve:
        mean = Mean(value=value, low=value - 0.1, high=value + 0.1)
        return ScalingCurve(agent=agent, episodes=4, success=mean, score=mean)

    return ScalingPoint(
        share=share,
        tasks=("a",) if share else (),
        skills=share,
        failures=share // 10,
        curves=(curve("fcp", with_failures), curve("fcp:no-failure-library", alone)),
        gain=NOTHING,
    )


def test_both_curves_run_over_the_shares_and_rest_on_what_was_run() -> None:
    result = ScalingResult(
        suite="arena:shop",
        model="simulated",
        simulated=True,
        seed=7,
        repeats=1,
        test_tasks=4,
        points=(point(0, 0.5, 0.5), point(100, 0.75, 0.5)),
    )
    view = scaling_view(result)
    (figure,) = view.figures
    assert [(s.name, s.x, [e.value for e in s.y]) for s in figure.series] == [
        ("with failure repairs", (0.0, 100.0), [0.5, 0.75]),
        ("skills alone", (0.0, 100.0), [0.5, 0.5]),
    ]
    # Without experience there is one agent only, so its four episodes are counted once.
    assert (view.facts.counted, view.facts.tasks, view.facts.seeds, view.facts.simulated) == (12, 4, (7,), True)
    assert "simulated" in str(view_json(view))
