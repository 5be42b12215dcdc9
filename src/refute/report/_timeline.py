"""The plan as a drawing: where each shape goes. The template only paints."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from refute.agents import Planned, Status, Tested, Verified
from refute.report._lanes import LEFT, LETTER, Lanes, clip
from refute.report._plan import WORDS, Line, plan_lines
from refute.report._shapes import Bar, Mark, Text, Timeline
from refute.report._truth_lanes import distance_path, fault_bars, milestones, mistake_bars
from refute.tables import DeliveryRow, FaultRow, MistakeRow
from refute.trace import Trace

ROW = 26.0
SCORES = 62.0


def timeline(
    trace: Trace,
    *,
    steps: int,
    deliveries: Sequence[DeliveryRow],
    mistakes: Sequence[MistakeRow],
    faults: Sequence[FaultRow] = (),
) -> Timeline | None:
    """Lay out the drawing; None when there is nothing to draw (no plan, no delivery, no mistake and no fault)."""
    lines = plan_lines(trace)
    delivered = [d for d in deliveries if d.step is not None]
    if not lines and not delivered and not mistakes and not faults:
        return None
    # Whatever a trace claims, it has no more steps than events.
    return _Layout(trace, lines, max(1, min(steps, len(trace.events)))).draw(delivered, mistakes, faults)


class _Layout(Lanes):
    def __init__(self, trace: Trace, lines: tuple[Line, ...], steps: int) -> None:
        super().__init__(trace, steps)
        self.lines = lines

    def draw(
        self, delivered: Sequence[DeliveryRow], mistakes: Sequence[MistakeRow], faults: Sequence[FaultRow]
    ) -> Timeline:
        ticks = self._ticks(12)
        self.rules.append(18)
        flags, y = self._flags(delivered, 32)
        bars, y = self._bars(y)
        curves, dots, y = self._scores(y)
        asked, y = self._asked(y)
        left, y = distance_path(self, y)
        planned, y = mistake_bars(self, mistakes, y)
        served, y = fault_bars(self, faults, y)
        reached, y = milestones(self, y)
        confirmed = sum(line.status is Status.CONFIRMED for line in self.lines)
        return Timeline(
            width=self.width,
            height=y + 4,
            left=LEFT,
            right=self.end,
            summary=f"{len(self.lines)} commitments over {self.steps} steps, {confirmed} confirmed; "
            f"{len(delivered)} revisions delivered",
            ticks=ticks,
            rules=tuple(self.rules),
            captions=tuple(self.captions),
            bars=bars,
            revisions=tuple(
                Mark(
                    x=self.x(d.step or 0), y=18, to=y, tone="forced" if d.forced else "", title=d.text, step=d.step or 0
                )
                for d in delivered
            ),
            flags=flags,
            curves=curves,
            dots=dots,
            asked=asked,
            distance=left,
            truth=(*planned, *served, *reached),
        )

    def _flags(self, delivered: Sequence[DeliveryRow], y: float) -> tuple[tuple[Text, ...], float]:
        """Labels of the revisions below the axis, on as many rows as they need."""
        rows: list[float] = []
        flags: list[Text] = []
        for d in delivered:
            text = f"revision {d.revision}" + (", forced" if d.forced else "")
            x, width = self.x(d.step or 0), len(text) * LETTER
            left = x + 5 + width > self.width
            start, stop = (x - 5 - width, x) if left else (x, x + 5 + width)
            row = next((n for n, used in enumerate(rows) if used < start), len(rows))
            rows[row : row + 1] = [stop + 6]
            flags.append(Text(x=x - 5 if left else x + 5, y=y + 14 * row, text=text, anchor="end" if left else "start"))
        return tuple(flags), y + 14.0 * len(rows) - 6

    def _ticks(self, y: float) -> tuple[Text, ...]:
        every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**9) if self.steps / n <= 16)
        shown = [n for n in range(0, self.steps + 1, every) if n == 0 or self.steps - n >= every / 2]
        return (
            *(Text(x=self.x(n), y=y, text=f"step {n}" if n == 0 else str(n), anchor="middle", step=n) for n in shown),
            Text(x=self.end, y=y, text=str(self.steps), anchor="middle", step=self.steps),
        )

    def _bars(self, y: float) -> tuple[tuple[Bar, ...], float]:
        bars: list[Bar] = []
        for line in self.lines:
            name = f"{line.commitment.number} {line.commitment.subgoal}"
            self.captions.append(Text(x=0, y=y + 13, text=clip(name, LEFT - 24), full=line.commitment.subgoal))
            if not line.spells:
                stop = line.ended if line.ended is not None else self.steps
                note = f"never started: {line.note}" if line.note else "never started"
                bars.append(self.bar(line.planned, stop, y, "idle", note))
            for n, spell in enumerate(line.spells):
                stop = spell.end if spell.end is not None else self.steps
                note = " · ".join(t for t in (WORDS[spell.status], spell.note) if t)
                last = n == len(line.spells) - 1
                bars.append(
                    self.bar(spell.start, stop, y, spell.status.value, note, alone=len(line.spells) == 1, last=last)
                )
            y += ROW
        if self.lines:
            self.rules.append(y + 4)
            y += 14
        return tuple(bars), y

    def _scores(self, y: float) -> tuple[tuple[tuple[str, str], ...], tuple[Mark, ...], float]:
        # A rule that fired (an error page, a rejected action) leaves no scores: nothing to draw at its step.
        tests = [t for t in self.trace.of(Tested) if t.phase == "state" and t.tau_plus > 0]
        risks = [t for t in self.trace.of(Tested) if t.phase == "action" and t.risk is not None]
        if not tests and not risks:
            return (), (), y
        self.captions += [
            Text(x=0, y=y + 18, text="evidence for", tone="yes"),
            Text(x=0, y=y + 34, text="evidence against", tone="no"),
            Text(x=0, y=y + 50, text="dashed: thresholds", tone="q"),
            Text(x=LEFT - 6, y=y + 8, text="1", anchor="end", tone="q"),
            Text(x=LEFT - 6, y=y + SCORES, text="0", anchor="end", tone="q"),
        ]

        def at(value: float) -> float:
            return round(y + 4 + (SCORES - 4) * (1 - min(1.0, max(0.0, value))), 1)

        def points(value: Callable[[Tested], float]) -> str:
            return " ".join(f"{self.x(t.step)},{at(value(t))}" for t in tests)

        curves = (
            ("tau yes", points(lambda t: t.tau_plus)),
            ("tau no", points(lambda t: t.tau_minus)),
            ("yes", points(_plus)),
            ("no", points(lambda t: t.falsification)),
        )
        dots = [
            Mark(x=self.x(t.step), y=at(v), tone=tone, step=t.step, title=f"step {t.step}, {name} {v:.2f}: {t.route}")
            for t in tests
            for tone, name, v in (("yes", "for", _plus(t)), ("no", "against", t.falsification))
        ]
        dots += [
            Mark(
                x=self.x(t.step),
                y=at(t.risk or 0),
                tone="no",
                diamond=True,
                step=t.step,
                title=f"risk of {t.action}: {t.risk:.2f}",
            )
            for t in risks
        ]
        self.rules.append(y + SCORES + 6)
        return curves, tuple(dots), y + SCORES + 10

    def _asked(self, y: float) -> tuple[tuple[Mark, ...], float]:
        """One row of what the verifier said, one of when the plan was made."""
        asked = [
            Mark(
                x=self.x(e.step),
                y=y + 9,
                tone=e.decision.value,
                step=e.step,
                title=f"step {e.step}: verifier says {e.decision}",
            )
            for e in self.trace.of(Verified)
        ]
        if asked:
            self.captions.append(Text(x=0, y=y + 13, text="verifier asked", tone="q"))
            y += 20
        planned = [
            Mark(
                x=self.x(e.step),
                y=y + 4,
                tone="made",
                diamond=True,
                step=e.step,
                title=f"step {e.step}: plan made ({e.reason})",
            )
            for e in self.trace.of(Planned)
        ]
        if planned:
            self.captions.append(Text(x=0, y=y + 13, text="plan made", tone="q"))
            y += 20
        return (*asked, *planned), y


def _plus(test: Tested) -> float:
    return max(test.progress, test.completion)
