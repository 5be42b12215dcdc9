"""How an action reads to a person or a model, and its normal form for comparing (decision 9b)."""

from __future__ import annotations

from refute.browser import Action, Element, Observation, format_action


def target_of(action: Action, observation: Observation) -> Element | None:
    """The element on which `action` works, if it has one and the page shows it."""
    number: int | None = getattr(action, "target", None)
    return observation.element(number) if number is not None else None


def describe(action: Action, observation: Observation) -> str:
    """The textual form with the target's role and name: ``click('12') on button "Search"``."""
    element = target_of(action, observation)
    text = format_action(action)
    return f'{text} on {element.role} "{element.name}"' if element else text


def in_words(action: Action, observation: Observation) -> str:
    """The action without element numbers, so that text evidence is not misled by them: ``click button "Search"``."""
    element = target_of(action, observation)
    fields = action.model_dump(exclude={"name", "target"}).values()
    said = [value for value in fields if isinstance(value, str)]
    return " ".join([action.name, *said, f'{element.role} "{element.name}"' if element else ""]).strip()


def normal_form(action: Action, observation: Observation) -> str:
    """The action without element ids, so that the same act on the same page compares equal after a reload.

    Several elements of one role and name are told apart by their order on the page.
    """
    element = target_of(action, observation)
    if element is None:
        return format_action(action)
    twins = [e.id for e in observation.elements if (e.role, e.name) == (element.role, element.name)]
    fields = action.model_dump(exclude={"name", "target"})
    return f"{action.name} {fields} {element.role} {element.name!r} {element.value!r} #{twins.index(element.id)}"
