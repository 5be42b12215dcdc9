"""All procedures of the staff: each is said in one sentence, and each sentence is read back into an equal procedure."""

from __future__ import annotations

from refute.arena.shop._procedures import ShopProcedure
from refute.arena.shop.dashboard._procedures_goods import (
    OpenGood,
    OpenGoodByUpc,
    SetPrice,
    SetStock,
    SetThreshold,
)
from refute.arena.shop.dashboard._procedures_orders import (
    AddNote,
    ListOrders,
    OpenListedOrder,
    OpenOrder,
    SetListedStatus,
    SetStatus,
)
from refute.arena.shop.dashboard._procedures_reviews import (
    DecideInList,
    DecideOnPage,
    DeleteReview,
    ListReviews,
)
from refute.arena.shop.dashboard._procedures_vouchers import (
    MakeVoucher,
)

STAFF_PROCEDURES: tuple[type[ShopProcedure], ...] = (
    OpenGood,
    OpenGoodByUpc,
    SetStock,
    SetPrice,
    SetThreshold,
    ListOrders,
    OpenOrder,
    OpenListedOrder,
    SetStatus,
    SetListedStatus,
    AddNote,
    ListReviews,
    DecideInList,
    DecideOnPage,
    DeleteReview,
    MakeVoucher,
)
"""Every procedure of the dashboard."""

__all__ = [
    "STAFF_PROCEDURES",
    "AddNote",
    "DecideInList",
    "DecideOnPage",
    "DeleteReview",
    "ListOrders",
    "ListReviews",
    "MakeVoucher",
    "OpenGood",
    "OpenGoodByUpc",
    "OpenListedOrder",
    "OpenOrder",
    "SetListedStatus",
    "SetPrice",
    "SetStatus",
    "SetStock",
    "SetThreshold",
]
