"""The shop's oracle: from the database and the active constraints to the procedures that remain, and the next step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from refute.agents import Step
from refute.arena._active import active_with
from refute.arena._site import Seen
from refute.arena.shop._facts import Facts
from refute.arena.shop._procedures import (
    AddToBasket,
    AddToWishList,
    CheckOut,
    OpenProduct,
    RemoveFromBasket,
    RemoveFromWishList,
    Report,
    Search,
    SetQuantity,
    ShopProcedure,
    WriteReview,
)
from refute.arena.shop._procedures_looking import OpenCategory, leave_open, view_of
from refute.arena.shop._procedures_moves import DEFAULT_ADDRESS
from refute.arena.shop._procedures_page import flat
from refute.arena.shop._resolve import resolve
from refute.arena.shop._target import Line, PageKind, Product, Target, View
from refute.arena.shop._views import is_at, was_open
from refute.arena.shop._world import ShopWorld
from refute.browser import Action, Goto, Observation, Scroll, format_action
from refute.goals import Constraint, Task

_PATIENCE = 2
"""Moves without a way forward after which the oracle opens an address instead of pressing something."""


class ShopOracle:
    """Finds the next step towards the active constraints from any page. Never an agent under test.

    On `route` 0 it searches, orders and then sees to lists and reviews. On route 1 it reaches the same by other pages
    and in another order: categories instead of searches, lists and reviews first, numbers of pieces set afterwards.

    It keeps the addresses that were visited (`see`; `next_action` does that by itself) and its own last moves; all
    else is read anew from `world` each time, so that it works after any detour and with any active goal.
    """

    def __init__(self, task: Task, world: ShopWorld, *, route: int = 0) -> None:
        self._task = task
        self._world = world
        self._other_way = route > 0
        self._visited: dict[str, None] = {}
        self.seen = Seen(observation=Observation(url=world.origin))
        """The page in front and every address visited so far, as far as it was told."""
        self._steps: list[Step] = []
        self._stage: ShopProcedure | None = None
        self._stuck = 0
        self._resolved: tuple[tuple[Constraint, ...], Target] | None = None
        """What was resolved last, and for what: it rests on the seeded state alone."""

    def see(self, observation: Observation) -> None:
        """Remember that this address was visited."""
        if not observation.failed:
            self._visited[observation.url] = None
        self.seen = Seen(observation=observation, visited=tuple(self._visited))

    def active(self, taken: Collection[int]) -> tuple[Constraint, ...]:
        """The constraints in force for somebody who took in the revisions `taken` (1…) and no others."""
        return active_with(self._task, taken, self._world.branches(self._task, self.seen))

    # ---- what remains --------------------------------------------------------------------------------------------

    def target(self, active: Sequence[Constraint], *, swap: Mapping[int, Product] | None = None) -> Target:
        """The wanted state; `swap` puts other products in the place of the right ones, by id."""
        if self._resolved is None or self._resolved[0] != tuple(active):
            self._resolved = tuple(active), resolve(active, self._world)
        target = self._resolved[1]
        return _swapped(target, swap) if swap else target

    def remaining(
        self, active: Sequence[Constraint], *, swap: Mapping[int, Product] | None = None
    ) -> tuple[ShopProcedure, ...]:
        """The procedures that lead from the shop's present state to the target, without the final report."""
        target, done = self.target(active, swap=swap), self._world.done()
        work, lists = [*self._order(target, done), *self._basket(target, done)], self._lists(target, done)
        plan = [*lists, *work] if self._other_way else [*work, *lists]
        inspect = [OpenProduct(title=p.title) for p in target.inspected if not self._has_opened(p)]
        look = [_look_at(v) for v in target.looked_at if not was_open(v, tuple(self._visited))]
        first = [p for p in dict.fromkeys((*inspect, *look)) if p not in plan]
        left = target.left_open
        last = [leave_open(left)] if left is not None and not is_at(left, self.seen.here) else []
        return (*first, *plan, *last)

    def report(self, active: Sequence[Constraint], *, swap: Mapping[int, Product] | None = None) -> Report:
        """The final message: every fact asked for, and what cannot be undone."""
        target = self.target(active, swap=swap)
        facts = [f"{fact}." for fact in target.facts] or ["Everything that was asked for is done."]
        return Report(message=" ".join((*facts, *self._lasting(target))))

    def distance(self, active: Sequence[Constraint]) -> int:
        """How many procedures remain; 0 = only the final message is missing."""
        return len(self.remaining(active))

    def finished(self, procedure: ShopProcedure) -> bool:
        """Whether the shop's state (or, for looking, the addresses visited) shows that the procedure was carried out.

        Never true of a report: that ends the work.
        """
        done = self._world.done()
        basket, wished = _counts(done.basket), {line.product.title for line in done.wishlist.values()}
        match procedure:
            case Search(query=query):
                return self._has_searched(query)
            case OpenProduct(title=title):
                return any(self._has_opened(p) for p in self._world.catalogue if p.title == title)
            case AddToBasket(title=title, quantity=quantity):
                return basket.get(title, 0) == quantity or title in _ordered(done)
            case SetQuantity(title=title, quantity=quantity):
                return basket.get(title) == quantity
            case RemoveFromBasket(title=title):
                return title not in basket
            case CheckOut():
                return bool(done.orders) and not basket
            case AddToWishList(title=title):
                return title in wished
            case RemoveFromWishList(title=title):
                return title not in wished
            case WriteReview(title=title):
                return any(r.product.title == title for r in done.reviews.values())
            case _:
                view = view_of(procedure, self._world.catalogue)
                return view is not None and is_at(view, self.seen.here)

    def obstacle(self, procedure: ShopProcedure, active: Sequence[Constraint]) -> str:
        """Why carrying out `procedure` now would commit a wrong state for good; empty when it would not."""
        remaining = self.remaining(active)
        match procedure:
            case CheckOut():
                wanted = next((p for p in remaining if isinstance(p, CheckOut)), None)
                if wanted is None:
                    return "nothing is to be ordered now"
                before = [p for p in remaining[: remaining.index(wanted)] if not isinstance(p, Search | OpenProduct)]
                if before:
                    return f"the basket does not hold what is to be ordered; still to do: {before[0].sentence()}"
                return "" if wanted == procedure else f"the order should be shipped to {wanted.address!r}"
            case WriteReview():
                return "" if procedure in remaining else "this is not the review that was asked for"
            case Report(message=message):
                if remaining:
                    return f"the work is not done; still to do: {remaining[0].sentence()}"
                missing = [f for f in self.target(active).facts if flat(f) not in flat(message)]
                return f"the report does not say: {missing[0]}" if missing else ""
            case _:
                return ""

    # ---- the next step -------------------------------------------------------------------------------------------

    def next_action(self, observation: Observation, active: Sequence[Constraint]) -> Action:
        """The next step towards `active`, or `Done` with the right message."""
        self.see(observation)
        if self._steps:
            self._steps[-1] = self._steps[-1].model_copy(update={"url": observation.url})
        stage = next(iter(self.remaining(active)), None) or self.report(active)
        if stage != self._stage:
            self._stage, self._steps, self._stuck = stage, [], 0
        move = stage.next_move(observation, self._steps)
        action = move.action or self._way_out(stage, observation)
        named = observation.element(getattr(action, "target", None) or 0)
        text = format_action(action) + (f' on {named.role} "{named.name}"' if named else "")
        self._steps.append(Step(number=len(self._steps) + 1, action=text, url=observation.url))
        return action

    def irreversible(self, action: Action, observation: Observation) -> bool:
        """Whether the action does something that the shop cannot undo: an order or a review."""
        element = observation.element(getattr(action, "target", None) or 0)
        return action.name == "click" and element is not None and element.name in ("Place order", "Save review")

    def _way_out(self, stage: ShopProcedure, observation: Observation) -> Action:
        """The page shows nothing to do although something remains: look from the top, then open an address."""
        self._stuck += 1
        title = getattr(stage, "title", None)
        product = next((p for p in self._world.catalogue if p.title == title), None)
        if self._stuck > _PATIENCE and product is not None and observation.url != self._world.origin + product.path:
            return Goto(url=self._world.origin + product.path)
        if observation.scroll_y > 0:
            return Scroll(direction="up")
        return Goto(url=f"{self._world.origin}/")

    # ---- parts of the plan ---------------------------------------------------------------------------------------

    def _order(self, target: Target, done: Facts) -> list[ShopProcedure]:
        """What is still to be ordered, and the checkout. Orders that were placed count as they are."""
        wanted = self._lacking(target, done)
        if not wanted:
            return []
        strays = [line.product for line in done.basket.values() if line.product.title not in _titles(wanted)]
        plan: list[ShopProcedure] = [RemoveFromBasket(title=p.title) for p in strays]
        for line in wanted:
            plan += self._into_basket(line, done)
        return [*plan, CheckOut(address=target.address or DEFAULT_ADDRESS)]

    def _basket(self, target: Target, done: Facts) -> list[ShopProcedure]:
        """What stays in the basket, once nothing is to be ordered any more; and what does not belong there."""
        wanted = target.basket or ()
        ordering = bool(self._lacking(target, done))
        plan: list[ShopProcedure] = []
        if not ordering:
            kept = _titles(wanted) | _titles(self._world.baseline.basket.values())
            strays = {line.product.title for line in done.basket.values()} - kept
            plan += [RemoveFromBasket(title=title) for title in sorted(strays)]
        after_order = replace(done, basket={}) if ordering else done
        for line in wanted:
            plan += self._into_basket(line, after_order)
        return plan

    def _into_basket(self, line: Line, done: Facts) -> list[ShopProcedure]:
        title, quantity = line.product.title, line.quantity
        there = _counts(done.basket).get(title)
        if there == quantity:
            return []
        if there is not None:
            return [SetQuantity(title=title, quantity=quantity)]
        add = AddToBasket(quantity=1 if self._other_way else quantity, title=title)
        if self._has_opened(line.product):
            return [add]
        if self._has_looked_for(line.product):
            return [OpenProduct(title=title), add]
        look = OpenCategory(name=line.product.category.rpartition(" > ")[2])
        return [look if self._other_way else Search(query=line.product.kind), OpenProduct(title=title), add]

    def _lists(self, target: Target, done: Facts) -> list[ShopProcedure]:
        """Wish list and reviews."""
        wished = {line.product.title for line in done.wishlist.values()}
        before = _titles(self._world.baseline.wishlist.values())
        wanted = [p.title for p in target.wishlist]
        strays = (wished - before - set(wanted)) | (wished & {p.title for p in target.unwished})
        plan: list[ShopProcedure] = [RemoveFromWishList(title=t) for t in sorted(strays)]
        for product in target.wishlist:
            if product.title not in wished:
                plan += [*self._look(product), AddToWishList(title=product.title)]
        written = {r.product.title for r in done.reviews.values()}
        for review in target.reviews:
            title = review.product.title
            if title not in written:
                wanted_review = WriteReview(title=title, score=review.score, headline=review.title, body=review.body)
                plan += [*self._look(review.product), wanted_review]
        return plan

    def _look(self, product: Product) -> list[ShopProcedure]:
        if self._has_opened(product):
            return []
        found = OpenProduct(title=product.title)
        if self._other_way and not self._has_looked_for(product):
            return [OpenCategory(name=product.category.rpartition(" > ")[2]), found]
        return [found]

    def _lacking(self, target: Target, done: Facts) -> list[Line]:
        """The lines still to be ordered."""
        ordered = _ordered(done)
        lines = [
            replace(line, quantity=line.quantity - ordered.get(line.product.title, 0)) for line in target.order or ()
        ]
        return [line for line in lines if line.quantity > 0]

    def _lasting(self, target: Target) -> list[str]:
        """Sentences on what was done for good although it is not wanted (any more)."""
        done = self._world.done()
        wanted = _titles(target.order or ())
        strays = [title for title in _ordered(done) if title not in wanted]
        notes = [f"The order of {', '.join(strays)} was placed before and cannot be undone."] if strays else []
        address = flat(target.address or "")
        notes += [
            f"Order {o.number} was placed to another address and cannot be changed."
            for o in done.orders.values()
            if address and not flat(o.address).startswith(address)
        ]
        return notes

    # ---- what was looked at --------------------------------------------------------------------------------------

    def _has_opened(self, product: Product) -> bool:
        return any(urlsplit(url).path.startswith(product.path) for url in self._visited)

    def _has_looked_for(self, product: Product) -> bool:
        """Whether results were seen among which `product` was to be found: of a search, or of its category."""
        category = View(page=PageKind.CATEGORY, words=product.category.rpartition(" > ")[2])
        return self._has_searched(product.kind) or any(is_at(category, url) for url in self._visited)

    def _has_searched(self, query: str) -> bool:
        return any(is_at(View(page=PageKind.SEARCH, words=query), url) for url in self._visited)


def _look_at(view: View) -> ShopProcedure:
    return OpenProduct(title=view.product.title) if view.page is PageKind.PRODUCT and view.product else leave_open(view)


def _titles(lines: Iterable[Line]) -> set[str]:
    return {line.product.title for line in lines}


def _counts(lines: Mapping[int, Line]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in lines.values():
        counts[line.product.title] = counts.get(line.product.title, 0) + line.quantity
    return counts


def _ordered(done: Facts) -> dict[str, int]:
    counts: dict[str, int] = {}
    for order in done.orders.values():
        for line in order.lines:
            counts[line.product.title] = counts.get(line.product.title, 0) + line.quantity
    return counts


def _swapped(target: Target, swap: Mapping[int, Product]) -> Target:
    """The target with other products bought, wished for or reviewed; what is only looked at stays."""
    lines = (*(target.order or ()), *(target.basket or ()))
    placed = (*(line.product for line in lines), *target.wishlist, *(r.product for r in target.reviews))
    taken = {p.id: swap[p.id] for p in placed if p.id in swap}

    def other(product: Product) -> Product:
        return taken.get(product.id, product)

    def others(old: tuple[Line, ...] | None) -> tuple[Line, ...] | None:
        return None if old is None else tuple(replace(line, product=other(line.product)) for line in old)

    facts = target.facts
    for product in placed:
        facts = tuple(fact.replace(product.title, other(product).title) for fact in facts)
    return replace(
        target,
        order=others(target.order),
        basket=others(target.basket),
        wishlist=tuple(other(p) for p in target.wishlist),
        reviews=tuple(replace(r, product=other(r.product)) for r in target.reviews),
        inspected=tuple(other(p) for p in target.inspected),
        facts=facts,
    )
