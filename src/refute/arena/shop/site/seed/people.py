"""Customers with their addresses, wish lists and sessions."""

import datetime
from importlib import import_module
from unittest import mock

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.core import signing
from oscar.core.compat import get_user_model
from oscar.core.loading import get_model

from accounts import ACCOUNTS, session_key
from clock import OPENING

User = get_user_model()
Country = get_model("address", "Country")
UserAddress = get_model("address", "UserAddress")
WishList = get_model("wishlists", "WishList")
WishListLine = get_model("wishlists", "Line")

COUNTRIES = (
    ("US", "USA", "840", "United States"),
    ("CA", "CAN", "124", "Canada"),
    ("GB", "GBR", "826", "United Kingdom"),
    ("DE", "DEU", "276", "Germany"),
    ("JP", "JPN", "392", "Japan"),
)
HOMES = {
    "emma": (
        ("12 Oak Street", "Pittsburgh", "PA", "15213"),
        ("880 Market St", "San Francisco", "CA", "94102"),
    ),
    "liam": (("41 Harbor Road", "Portland", "ME", "04101"),),
    "noah": (("7 Birch Lane", "Denver", "CO", "80203"),),
    "olivia": (("230 Canal Street", "New Orleans", "LA", "70130"),),
    "ava": (("18 Vine Street", "Austin", "TX", "78701"),),
    "lucas": (("5 Lake Avenue", "Chicago", "IL", "60601"),),
    "mia": (("96 Summit Drive", "Boise", "ID", "83702"),),
    "ethan": (("310 Pine Street", "Seattle", "WA", "98101"),),
    "sofia": (("66 Willow Court", "Savannah", "GA", "31401"),),
    "henry": (("14 Quarry Road", "Madison", "WI", "53703"),),
}
"""Saved addresses by account; the first one is where parcels go by default."""

NEWCOMERS = ("sofia", "henry")
"""Customers of the last weeks: older orders and reviews are not theirs. Their last names are also others'."""

WISHES = {
    "emma": ("Favorites", 2),
    "olivia": ("Birthday ideas", 4),
    "lucas": ("New flat", 3),
}
"""Wish lists by account: name and number of products."""


def add_people():
    """Every account with its addresses and its open session; returns the customers by name."""
    for code, code3, number, name in COUNTRIES:
        Country.objects.create(
            iso_3166_1_a2=code,
            iso_3166_1_a3=code3,
            iso_3166_1_numeric=number,
            printable_name=name,
            name=name,
            is_shipping_country=True,
            display_order=1 if code == "US" else 0,  # the highest comes first
        )
    people = {name: add_account(name, **account) for name, account in ACCOUNTS.items()}
    for name, homes in HOMES.items():
        for number, home in enumerate(homes):
            add_address(people[name], home, default=number == 0)
    return people


def customers_of(people):
    """Everybody but the staff and emma, who has not reviewed anything yet."""
    return [user for name, user in people.items() if name not in ("admin", "emma")]


def reviewers_of(people):
    """The customers who have written reviews for long."""
    return [user for name, user in people.items() if name not in ("admin", "emma", *NEWCOMERS)]


def regulars_of(people):
    """The customers of long standing, emma included."""
    return [user for name, user in people.items() if name not in ("admin", *NEWCOMERS)]


def add_account(name, *, first, last, email, password, staff=False):
    """One account, and a session in which it is signed in."""
    user = User.objects.create(
        username=name,
        email=email,
        first_name=first,
        last_name=last,
        password=make_password(password, salt=f"{name}juniper"),
        is_staff=staff,
        is_superuser=staff,
    )
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    signed_in = {
        "_auth_user_id": str(user.pk),
        "_auth_user_backend": "oscar.apps.customer.auth_backends.EmailBackend",
        "_auth_user_hash": user.get_session_auth_hash(),
    }
    # The signature carries the time of signing, and compression differs between machines: neither may differ here.
    with mock.patch("django.core.signing.time.time", return_value=OPENING.timestamp()):
        data = signing.dumps(signed_in, salt=store.key_salt, serializer=store.serializer)
    expires = datetime.datetime(2099, 1, 1, tzinfo=datetime.UTC)
    Session.objects.create(session_key=session_key(name), session_data=data, expire_date=expires)
    return user


def add_address(user, home, *, default):
    """One saved address."""
    line1, city, state, postcode = home
    UserAddress.objects.create(
        user=user,
        title="",
        first_name=user.first_name,
        last_name=user.last_name,
        line1=line1,
        line4=city,
        state=state,
        postcode=postcode,
        country=Country.objects.get(pk="US"),
        is_default_for_shipping=default,
        is_default_for_billing=default,
    )


def add_wishes(dice, people, products):
    """A few wish lists."""
    for name, (title, count) in WISHES.items():
        wishes = WishList.objects.create(owner=people[name], name=title)
        WishList.objects.filter(pk=wishes.pk).update(key=f"jl{name[:4]}")  # Oscar throws dice of its own for it
        for product in dice.sample(products, count):
            WishListLine.objects.create(wishlist=wishes, product=product, title=product.title, quantity=1)
