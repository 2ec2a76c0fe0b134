"""WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rulings.settings")
application = get_wsgi_application()

from rulings.search.warming import warm_up  # noqa: E402 - models can be imported from here on
from rulings.services.background import serve_here  # noqa: E402

warm_up()
serve_here()
