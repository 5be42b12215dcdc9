"""`bench coverage miniwob`: is there an interactive element in view that our observation cannot name?

The truth comes from the page: native controls, elements that scripts listen to, ``on…`` handlers, ``tabindex``,
``draggable``, ``contenteditable``, a pointer as cursor; seen by the browser's own IntersectionObserver. Each task is
looked at when it starts and again after a click on the first element that is not a submit button.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict

from refute.browser import BrowserHost, Click, Observation, Session
from refute.suites.miniwob._pages import PageServer, pages_folder
from refute.suites.miniwob._suite import HERE, NAMES, VIEWPORT, MiniwobPlace, miniwob_task

LISTENERS = HERE.joinpath("listeners.js").read_text(encoding="utf-8")
TRUTH = HERE.joinpath("coverage.js").read_text(encoding="utf-8")


class Missed(BaseModel):
    """An interactive element that no entry of the observation stands for."""

    model_config = ConfigDict(frozen=True)

    task: str
    when: str
    """start or click."""
    tag: str
    id: str
    text: str
    why: str
    box: tuple[int, int, int, int]


class Coverage(BaseModel):
    """What `refute bench coverage miniwob --json` prints."""

    model_config = ConfigDict(frozen=True)

    tasks: int
    unreachable: int
    """Tasks with at least one missed element, at the start or after the click."""
    after_click: int
    """Tasks that were also looked at after a click."""
    elements: int
    """Interactive elements in view, both looks together."""
    missed: tuple[Missed, ...]

    def text(self) -> str:
        """For a terminal."""
        lines = [
            f"{self.tasks} tasks ({self.after_click} also after a click), {self.elements} interactive elements "
            f"in view; tasks with one that the observation cannot name: {self.unreachable}"
        ]
        lines += [f"  {m.task} ({m.when}): <{m.tag} id={m.id!r}> {m.text!r} at {m.box}: {m.why}" for m in self.missed]
        return "\n".join(lines)


class _Look(BaseModel):
    interactive: int
    missed: list[dict[str, object]]


async def miniwob_coverage(
    names: Sequence[str] = NAMES, *, seed: int = 0, on_line: Callable[[str], None] = lambda line: None
) -> Coverage:
    """Look at the tasks called `names`. Raises `UserError` before the pages are set up, `BrowserError`."""
    place = MiniwobPlace(PageServer(pages_folder()))
    missed: list[Missed] = []
    elements = clicked = 0
    try:
        async with BrowserHost(loopback_only=True) as host:
            for name in names:
                async with await host.session(viewport=(VIEWPORT["width"], VIEWPORT["height"])) as session:
                    await session.add_script(LISTENERS)
                    await place.begin(session, miniwob_task(name, seed))
                    observation = await session.observe()
                    looks = {"start": await _look(session, observation)}
                    target = _first_click(observation)
                    if target is not None:
                        _, observation = await session.step(target)
                        looks["click"] = await _look(session, observation)
                        clicked += 1
                for when, look in looks.items():
                    elements += look.interactive
                    missed += [Missed.model_validate({"task": name, "when": when, **one}) for one in look.missed]
                on_line(f"{name}: {', '.join(f'{w} {x.interactive}/{len(x.missed)}' for w, x in looks.items())}")
    finally:
        await place.close()
    return Coverage(
        tasks=len(names),
        unreachable=len({one.task for one in missed}),
        after_click=clicked,
        elements=elements,
        missed=tuple(missed),
    )


async def _look(session: Session, observation: Observation) -> _Look:
    """Compare; once more with a new observation if something is missed, since a picture may have come in between."""
    look = await _compare(session, observation)
    return await _compare(session, await session.observe()) if look.missed else look


async def _compare(session: Session, observation: Observation) -> _Look:
    boxes = [list(element.box) for element in observation.elements]
    return _Look.model_validate(await session.evaluate(TRUTH, boxes))


def _first_click(observation: Observation) -> Click | None:
    ends = ("submit", "login", "ok", "cancel", "search", "buy")
    for element in observation.elements:
        if element.name.lower() not in ends and element.role not in ("scroller", "canvas"):
            return Click(target=element.id)
    return None
