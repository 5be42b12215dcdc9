"""The shop: django-oscar with a catalogue, customers and orders of our own, its tasks, and all that judges them."""

from refute.arena.shop._instance import EDITIONS, ShopInstance
from refute.arena.shop._oracle import ShopOracle
from refute.arena.shop._resolve import resolve
from refute.arena.shop._shop import Shop
from refute.arena.shop._simulated import shop_skills, simulated_shop
from refute.arena.shop._target import Line, Product, Target, WantedReview
from refute.arena.shop._tasks import load_tasks
from refute.arena.shop._world import ShopWorld

__all__ = [
    "EDITIONS",
    "Line",
    "Product",
    "Shop",
    "ShopInstance",
    "ShopOracle",
    "ShopWorld",
    "Target",
    "WantedReview",
    "load_tasks",
    "resolve",
    "shop_skills",
    "simulated_shop",
]
