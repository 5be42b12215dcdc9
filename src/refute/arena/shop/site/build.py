"""Make the shop of opening day, in all its editions: ``python build.py``, with SHOP_DATA (an empty folder) set.

It leaves ``edition-0``, ``edition-1``, … with a database and a search index each, and ``media``, which they share.
"""

import os
import random
import shutil
import sqlite3
import sys
from pathlib import Path

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
os.environ["SHOP_BUILDING"] = "1"

DICE = (20260615, 156, 321)
"""What each edition is drawn with. The later ones are numbers in which everything that tasks ask for can be had, and
their conditions come out differently (``tests/arena/test_shop_tasks.py``)."""


def main():
    """Tables, rows, search indexes; a line of progress each."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import transaction

    from seed import editions

    say("making tables")
    call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
    say("filling them")
    with transaction.atomic():
        seed(random.Random(DICE[0]))
    keep(0)
    for edition in range(1, len(DICE)):
        say(f"drawing edition {edition}")
        shutil.copyfile(settings.DATA / "edition-0" / "db.sqlite3", settings.DATA / "db.sqlite3")
        with transaction.atomic():
            editions.redraw(random.Random(DICE[edition]))
        keep(edition)
    (settings.DATA / "db.sqlite3").unlink()
    shutil.rmtree(settings.DATA / "whoosh")
    missing = Path(django_oscar_static()) / "img" / "image_not_found.jpg"
    shutil.copyfile(missing, Path(settings.MEDIA_ROOT) / settings.OSCAR_MISSING_IMAGE_URL)


def seed(dice):
    """All rows of edition 0. The order of the calls is part of the result: nearly every one of them throws dice."""
    from django.contrib.sites.models import Site

    from seed import catalogue, offers, orders, people

    Site.objects.filter(pk=1).update(domain="127.0.0.1", name="Juniper Lane")
    accounts = people.add_people()
    products = catalogue.add_products(dice)
    catalogue.add_reviews(dice, products, people.reviewers_of(accounts))
    orders.add_orders(dice, accounts["emma"], people.regulars_of(accounts), products)
    people.add_wishes(dice, accounts, products)
    orders.add_recent_orders(dice, accounts, products)
    catalogue.add_waiting_reviews(dice, products, people.customers_of(accounts))
    offers.add_vouchers()


def keep(edition):
    """Index the database as it is, and put both aside as `edition`."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    say(f"indexing edition {edition}")
    call_command("rebuild_index", verbosity=0, interactive=False)
    connection.close()
    compact(settings.DATA / "db.sqlite3")
    folder = settings.DATA / f"edition-{edition}"
    folder.mkdir()
    shutil.copyfile(settings.DATA / "db.sqlite3", folder / "db.sqlite3")
    shutil.copytree(settings.DATA / "whoosh", folder / "whoosh")


def django_oscar_static():
    """The folder of Oscar's own static files."""
    import oscar

    return Path(oscar.__file__).parent / "static" / "oscar"


def compact(path):
    """Give back the pages that building left unused."""
    with sqlite3.connect(path) as database:
        database.execute("VACUUM")


def say(line):
    """One line of progress."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
