"""The staff's procedures around vouchers."""

from __future__ import annotations

from dataclasses import dataclass

from refute.agents import Confirmation, Falsifier, Scope
from refute.arena._procedure import Move
from refute.arena.shop._procedures import ShopProcedure, falsified_anywhere, sees
from refute.arena.shop._procedures_page import Page
from refute.arena.shop.dashboard import _moves as moves
from refute.arena.shop.dashboard._page import StaffPage


@dataclass(frozen=True)
class MakeVoucher(ShopProcedure):
    """Make a voucher, or make the one with this code so."""

    form = "Have a voucher {name} with the code {code} for {offer}, to be used: {usage}, from {starts} to {ends}."
    name: str
    code: str
    offer: str
    usage: str
    """As the form says it."""
    starts: str
    """As the form wants it: year-month-day hour:minute:second."""
    ends: str

    def move(self, page: Page) -> Move:
        """Fill the form from top to bottom."""
        texts = {"name": self.name, "code": self.code, "start datetime": self.starts, "end datetime": self.ends}
        choices = {"usage": self.usage, "which offers apply for this voucher?": self.offer}
        return moves.make_voucher(StaffPage(page.observation, page.steps), self.code, texts, choices)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The dashboard's confirmation."""
        return sees(f"The form of the voucher {self.code} is open", "Voucher created")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """A form that is shown again."""
        again = Falsifier(scope=Scope.EXECUTION, statement="Voucher with this code already exists")
        return (*falsified_anywhere(), again)
