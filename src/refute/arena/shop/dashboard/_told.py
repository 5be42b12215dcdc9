"""What a final message of the staff says about products and orders, and how to say it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from refute.arena.shop import _message
from refute.arena.shop._criteria import Attribute, plain
from refute.arena.shop.dashboard._likeness import What
from refute.arena.shop.dashboard._slots import Case
from refute.arena.shop.dashboard._wants import Counted, GoodsCounted, GoodsTold, OrderFact, OrdersCounted, Told

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PIECES = ("piece", "item", "article")
_COUNTED = {
    What.GOODS: ("product", "item", "article"),
    What.ORDERS: ("order",),
    What.REVIEWS: ("review",),
}


def names(case: Case, what: What, i: int, message: str) -> bool:
    """Whether `message` names thing `i`: a product by its title, an order by its number."""
    if what is What.GOODS:
        return i in case.catalogue.products and _message.names(message, case.catalogue.products[i])
    return what is What.ORDERS and f" {case.before.orders[i].number} " in f" {plain(message)} "


def states(told: Told, case: Case, i: int, message: str) -> bool:
    """Whether `message` states the fact about thing `i`."""
    if isinstance(told, GoodsTold):
        return _message.states(message, Attribute(told.attr.value), case.catalogue.products[i], case.catalogue)
    order = case.before.orders[i]
    text = _about(order.number, case, message)
    match told.attr:
        case OrderFact.NUMBER:
            numbers = [o.number for o in case.before.orders.values()]
            return names(case, What.ORDERS, i, message) and not _message.hesitates(message, order.number, numbers)
        case OrderFact.CUSTOMER:
            customers = [o.customer for o in case.before.orders.values()]
            named = f" {plain(order.customer)} " in f" {plain(text)} "
            return named and not _message.hesitates(text, order.customer, customers)
        case OrderFact.TOTAL:
            return _message.plainly(text, order.total)
        case OrderFact.PIECES:
            return _counts(text, order.pieces, _PIECES)


def _about(number: str, case: Case, message: str) -> str:
    """The part of `message` about order `number`: up to where another one is named. All of it when it is about one."""
    numbers = [o.number for o in case.before.orders.values() if o.number in message]
    if numbers == [number] or not numbers:
        return message.replace(number, "it")
    rest = message.partition(number)[2] if number in message else ""
    ends = [rest.index(other) for other in numbers if other != number and other in rest]
    return rest[: min(ends, default=len(rest))]


def fact(told: Told, case: Case, i: int) -> str:
    """The fact in the words of a report; `states` finds it again."""
    if isinstance(told, GoodsTold):
        return _message.fact(Attribute(told.attr.value), case.catalogue.products[i])
    order = case.before.orders[i]
    match told.attr:
        case OrderFact.NUMBER:
            return f"It is order {order.number}"
        case OrderFact.CUSTOMER:
            return f"Order {order.number} is {order.customer}'s"
        case OrderFact.TOTAL:
            return f"Order {order.number} comes to ${order.total}"
        case OrderFact.PIECES:
            return f"Order {order.number} has {order.pieces} pieces"


def counted(want: Counted, case: Case) -> int:
    """How many things were like this before the episode."""
    return sum(case.like(want, i) for i in case.had(counts(want)))


def counts(want: Counted) -> What:
    """What it counts."""
    match want:
        case GoodsCounted():
            return What.GOODS
        case OrdersCounted():
            return What.ORDERS
        case _:
            return What.REVIEWS


def states_count(want: Counted, case: Case, message: str) -> bool:
    """Whether `message` gives the right number of them, in figures or, up to twelve, spelled out."""
    return _counts(message, counted(want, case), _COUNTED[counts(want)])


def count_fact(want: Counted, case: Case) -> str:
    """The number in the words of a report."""
    number = counted(want, case)
    return f"There {'is' if number == 1 else 'are'} {number} such {counts(want)}{'' if number == 1 else 's'}"


def _counts(text: str, number: int, nouns: Sequence[str]) -> bool:
    """Whether `number` stands close before such a noun, or after it where none stands before (*pending orders: 3*)."""
    noun = "|".join(f"{noun}s?" for noun in nouns)
    word = "|".join((str(number), *_WORDS[number : number + 1], *(("no",) if number == 0 else ())))
    any_number = rf"(?:\d[\d,.]*|no|{'|'.join(_WORDS)})"
    before = re.compile(rf"(?<![\d.,$#])\b({any_number})\b(?:\s+[a-z']+){{0,3}}?\s+(?:{noun})\b", re.IGNORECASE)
    after = re.compile(rf"\b(?:{noun})\b\W+(?:[a-z']+\W+){{0,4}}?({any_number})\b(?![.,]?\d)", re.IGNORECASE)
    said = before.findall(text) or after.findall(text)
    plainly = _message.plainly(text, number, {*nouns, *(f"{noun}s" for noun in nouns)})
    return plainly and any(re.fullmatch(word, found, re.IGNORECASE) for found in said)
