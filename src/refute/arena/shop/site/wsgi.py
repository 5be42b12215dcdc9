"""The shop as a WSGI application."""

import os

from django.core.wsgi import get_wsgi_application
from whitenoise import WhiteNoise

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")

_shop = get_wsgi_application()

from django.conf import settings  # noqa: E402

from listing import read_at_once  # noqa: E402

read_at_once()
application = WhiteNoise(_shop, root=settings.MEDIA_ROOT, prefix="media/")
