"""Experience scaling as a view (fcpagent figure 4). It is made of a whole experiment, not of the runs of a folder."""

from __future__ import annotations

from refute.metrics import Estimate
from refute.report.views._view import Column, Facts, Figure, Form, Series, Shape, Sheet, View
from refute.run import Mean, ScalingResult

_CURVES = ("with failure repairs", "skills alone")


def scaling_view(result: ScalingResult) -> View:
    """Success on the test split by share of the training split, with and without the failure library."""
    rows = tuple(
        (
            f"{point.share} %",
            len(point.tasks),
            point.skills,
            point.failures,
            *(_estimate(curve.success) for curve in point.curves),
            _estimate(point.gain),
        )
        for point in result.points
    )
    shares = tuple(float(point.share) for point in result.points)
    series = tuple(
        Series(
            name=name,
            x=shares,
            y=tuple(_estimate(point.curves[number].success) for point in result.points),
            dashed=number > 0,
        )
        for number, name in enumerate(_CURVES)
    )
    episodes = sum(curve.episodes for point in result.points for curve in point.curves[: 2 if point.share else 1])
    return View(
        name="scaling",
        title=f"Experience scaling on {result.suite}",
        facts=Facts(
            simulated=result.simulated,
            episodes=episodes,
            counted=episodes,
            tasks=result.test_tasks,
            seeds=(result.seed,),
        ),
        sheets=(
            Sheet(
                name="scaling",
                title="Test split, by share of the training split",
                columns=(
                    Column(name="share", head="learned from"),
                    Column(name="tasks", head="tasks", form=Form.COUNT),
                    Column(name="skills", head="skills", form=Form.COUNT),
                    Column(name="failures", head="failure repairs", form=Form.COUNT),
                    Column(name="success", head="success", form=Form.PERCENT, digits=1),
                    Column(name="success_without", head="skills alone", form=Form.PERCENT, digits=1),
                    Column(name="gain", head="gain in score", form=Form.PERCENT, digits=1, signed=True),
                ),
                rows=rows,
                notes=("The gain is that of the failure repairs, paired by task and seed",),
            ),
        ),
        figures=(
            Figure(
                name="scaling",
                title="Success by experience",
                shape=Shape.LINES,
                series=series,
                x_label="training tasks learned from (%)",
                y_label="success (%)",
                x_limit=100,
            ),
        ),
    )


def _estimate(mean: Mean) -> Estimate:
    return Estimate(value=mean.value, low=mean.low, high=mean.high)
