"""Make the shop of opening day: ``python build.py``, with SHOP_DATA (an empty folder) in the environment."""

import os
import random
import shutil
import sqlite3
import sys
from pathlib import Path

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
os.environ["SHOP_BUILDING"] = "1"


def main():
    """Tables, rows, search index; a line of progress each."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import transaction

    say("making tables")
    call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
    say("filling them")
    with transaction.atomic():
        seed(random.Random(20260615))
    say("indexing")
    call_command("rebuild_index", verbosity=0, interactive=False)
    missing = Path(django_oscar_static()) / "img" / "image_not_found.jpg"
    shutil.copyfile(missing, Path(settings.MEDIA_ROOT) / settings.OSCAR_MISSING_IMAGE_URL)
    from django.db import connection

    connection.close()
    compact(settings.DATABASES["default"]["NAME"])


def seed(dice):
    """All rows. The order of the calls is part of the result: every one of them throws dice."""
    from django.contrib.sites.models import Site

    from seed import catalogue, orders, people

    Site.objects.filter(pk=1).update(domain="127.0.0.1", name="Juniper Lane")
    accounts = people.add_people()
    products = catalogue.add_products(dice)
    reviewers = [user for name, user in accounts.items() if name not in ("admin", "emma")]
    catalogue.add_reviews(dice, products, reviewers)
    orders.add_orders(dice, accounts, products)
    people.add_wishes(dice, accounts, products)


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
