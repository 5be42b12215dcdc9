"""Settings of the shop: one data folder per instance (SHOP_DATA), no request to any other host, no state outside it."""

import os
from pathlib import Path

from django.contrib.messages import constants as message_levels
from django.core.mail.utils import DNS_NAME

import clock
from oscar.defaults import *  # noqa: F403

HERE = Path(__file__).parent
DATA = Path(os.environ["SHOP_DATA"])
BUILDING = os.environ.get("SHOP_BUILDING") == "1"
clock.install(clock.frozen if BUILDING else clock.running)

DEBUG = False
SECRET_KEY = "the-shop-guards-nothing-and-signs-the-same-way-everywhere"
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "urls"
SITE_ID = 1
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
LANGUAGES = (("en-us", "English"),)
USE_I18N = False  # as written by Oscar's authors, who say basket; its American translation says cart
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(DATA / "db.sqlite3"),
        "ATOMIC_REQUESTS": True,
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            # Requests queue for the database instead of failing when two of them want to write.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # An instance lives for a run: nothing has to survive a power cut.
            "init_command": "PRAGMA synchronous=OFF",
        },
    }
}
# Tables come straight from the models: replaying ten years of migrations would take most of a build.
MIGRATION_MODULES = type("NoMigrations", (dict,), {"__contains__": lambda *_: True, "__getitem__": lambda *_: None})()
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}  # nothing survives a reset
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = str(DATA / "mail")
DNS_NAME._fqdn = "juniper.test"  # stands in every mail; Django would ask the network for it
PASSWORD_HASHERS = ["accounts.QuickHasher"]

MEDIA_ROOT = str(DATA / "media")
MEDIA_URL = "/media/"
STATIC_URL = "/static/"
STATICFILES_DIRS = [str(HERE / "static")]
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [str(HERE / "templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.template.context_processors.media",
                "django.template.context_processors.static",
                "django.contrib.messages.context_processors.messages",
                "oscar.apps.search.context_processors.search_form",
                "oscar.apps.communication.notifications.context_processors.notifications",
                "oscar.apps.checkout.context_processors.checkout",
                "oscar.core.context_processors.metadata",
            ]
        },
    }
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
    "faults.Faults",
]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sites",
    "django.contrib.flatpages",
    "oscar.config.Shop",
    "oscar.apps.analytics.apps.AnalyticsConfig",
    "oscar.apps.checkout.apps.CheckoutConfig",
    "oscar.apps.address.apps.AddressConfig",
    "oscar.apps.shipping.apps.ShippingConfig",
    "oscar.apps.catalogue.apps.CatalogueConfig",
    "oscar.apps.catalogue.reviews.apps.CatalogueReviewsConfig",
    "oscar.apps.communication.apps.CommunicationConfig",
    "oscar.apps.partner.apps.PartnerConfig",
    "oscar.apps.basket.apps.BasketConfig",
    "oscar.apps.payment.apps.PaymentConfig",
    "oscar.apps.offer.apps.OfferConfig",
    "oscar.apps.order.apps.OrderConfig",
    "oscar.apps.customer.apps.CustomerConfig",
    "oscar.apps.search.apps.SearchConfig",
    "oscar.apps.voucher.apps.VoucherConfig",
    "oscar.apps.wishlists.apps.WishlistsConfig",
    "oscar.apps.dashboard.apps.DashboardConfig",
    "oscar.apps.dashboard.reports.apps.ReportsDashboardConfig",
    "oscar.apps.dashboard.users.apps.UsersDashboardConfig",
    "oscar.apps.dashboard.orders.apps.OrdersDashboardConfig",
    "oscar.apps.dashboard.catalogue.apps.CatalogueDashboardConfig",
    "oscar.apps.dashboard.offers.apps.OffersDashboardConfig",
    "oscar.apps.dashboard.partners.apps.PartnersDashboardConfig",
    "oscar.apps.dashboard.pages.apps.PagesDashboardConfig",
    "oscar.apps.dashboard.ranges.apps.RangesDashboardConfig",
    "oscar.apps.dashboard.reviews.apps.ReviewsDashboardConfig",
    "oscar.apps.dashboard.vouchers.apps.VouchersDashboardConfig",
    "oscar.apps.dashboard.communications.apps.CommunicationsDashboardConfig",
    "oscar.apps.dashboard.shipping.apps.ShippingDashboardConfig",
    "widget_tweaks",
    "haystack",
    "ranking",
    "treebeard",
    "django_tables2",
]
AUTHENTICATION_BACKENDS = (
    "oscar.apps.customer.auth_backends.EmailBackend",
    "django.contrib.auth.backends.ModelBackend",
)
LOGIN_REDIRECT_URL = "/"
MESSAGE_TAGS = {message_levels.ERROR: "danger"}

HAYSTACK_CONNECTIONS = {
    "default": {
        "ENGINE": "haystack.backends.whoosh_backend.WhooshEngine",
        "PATH": str(DATA / "whoosh"),
        "INCLUDE_SPELLING": False,
        "EXCLUDED_INDEXES": ["oscar.apps.search.search_indexes.ProductIndex"],  # `ranking` has its own
    }
}
# While building, the index is written once, at the end.
HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals." + ("BaseSignalProcessor" if BUILDING else "RealtimeSignalProcessor")
HAYSTACK_SEARCH_RESULTS_PER_PAGE = 12

OSCAR_SHOP_NAME = "Juniper Lane"
OSCAR_SHOP_TAGLINE = "Everyday goods"
OSCAR_FROM_EMAIL = "hello@juniper.test"
OSCAR_DEFAULT_CURRENCY = "USD"
OSCAR_PRODUCTS_PER_PAGE = 12
OSCAR_SEARCH_FACETS = {"fields": {}, "queries": {}}  # Whoosh would show word stems as filters
OSCAR_THUMBNAILER = "pictures.WholePicture"
OSCAR_IMAGE_FOLDER = "products/"
OSCAR_ALLOW_ANON_CHECKOUT = True
OSCAR_INITIAL_ORDER_STATUS = OSCAR_INITIAL_LINE_STATUS = "Pending"
OSCAR_ORDER_STATUS_PIPELINE = {
    "Pending": ("Being processed", "Cancelled"),
    "Being processed": ("Complete", "Cancelled"),
    "Cancelled": (),
    "Complete": (),
}
OSCAR_LINE_STATUS_PIPELINE = {
    "Pending": ("Being processed", "Cancelled"),
    "Being processed": ("Shipped", "Cancelled"),
    "Shipped": (),
    "Cancelled": (),
}
OSCAR_ORDER_STATUS_CASCADE = {"Being processed": "Being processed", "Cancelled": "Cancelled", "Complete": "Shipped"}

# Everything that is logged goes to standard error, which the launcher keeps in the instance's data folder.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
