"""How an action reads to a person or a model, and its normal form for comparing (decision 9b)."""

from __future__ import annotations

from refute.browser import Action, ClickAt, Drag, Element, Observation, format_action


def target_of(action: Action, observation: Observation) -> Element | None:
    """The element on which `action` works, if it has one and the page shows it.

    A click at a point works on the smallest element that is there.
    """
    if isinstance(action, ClickAt):
        there = [e for e in observation.elements if _holds(e.box, action.x, action.y)]
        return min(there, key=lambda e: e.box[2] * e.box[3], default=None)
    number: int | None = getattr(action, "target", None)
    return observation.element(number) if number is not None else None


def _holds(box: tuple[int, int, int, int], x: int, y: int) -> bool:
    return box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]


def _goal_of(action: Action, observation: Observation) -> Element | None:
    """The element that something is dropped on."""
    return observation.element(action.to) if isinstance(action, Drag) else None


def describe(action: Action, observation: Observation) -> str:
    """The textual form with the target's role and name: ``click('12') on button "Search"``."""
    element, goal = target_of(action, observation), _goal_of(action, observation)
    text = format_action(action)
    text = f'{text} on {element.role} "{element.name}"' if element else text
    return f'{text} to {goal.role} "{goal.name}"' if goal else text


def in_words(action: Action, observation: Observation) -> str:
    """The action without element numbers, so that text evidence is not misled by them: ``click button "Search"``."""
    element, goal = target_of(action, observation), _goal_of(action, observation)
    fields = action.model_dump(exclude={"name", "target", "more"}).values()
    said = [value for value in fields if isinstance(value, str)] + [*getattr(action, "more", ())]
    shown = [f'{e.role} "{e.name}"' for e in (element, goal) if e]
    return " ".join([action.name.replace("_", " "), *said, *shown]).strip()


def normal_form(action: Action, observation: Observation) -> str:
    """The action without element ids, so that the same act on the same page compares equal after a reload.

    Several elements of one role and name are told apart by their order on the page.
    """
    element = target_of(action, observation)
    if element is None:
        return format_action(action)
    twins = [e.id for e in observation.elements if (e.role, e.name) == (element.role, element.name)]
    fields = action.model_dump(exclude={"name", "target", "to"})
    goal = _goal_of(action, observation)
    onto = f" to {goal.role} {goal.name!r}" if goal else ""
    return f"{action.name} {fields} {element.role} {element.name!r} {element.value!r} #{twins.index(element.id)}{onto}"
