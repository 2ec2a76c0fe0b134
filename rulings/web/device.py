"""Pages about what is kept on the reader's device, and what a browser needs to install the site."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from rulings.web.page import page

YEAR = 365 * 24 * 3600  # seconds
# What a page needs when the network is off; the worker fetches it when it is installed.
SHELL = (
    "site.css", "tools.css", "icon.svg", "vendor/htmx.min.js", "js/early.js", "js/main.js", "js/contents.js",
    "js/copy.js", "js/display.js", "js/keys.js", "js/live.js", "js/memo.js", "js/preview.js", "js/recent.js",
    "js/say.js", "js/store.js", "js/suggest.js", "js/offline/db.js", "js/offline/find.js", "js/offline/fold.js",
    "js/offline/names.js", "js/offline/page.js", "js/offline/sync.js", "js/offline/tables.js",
)  # fmt: skip


@page
def memo(request: HttpRequest) -> HttpResponse:
    """The list that was collected during the day; a script draws it."""
    return render(request, "memo.html", {"nav": "memo"})


@page
def display_settings(request: HttpRequest) -> HttpResponse:
    """Theme, type size, language, keys."""
    return render(request, "settings.html", {"nav": "settings"})


# A preference harms nobody when another site sets it, and without a token the pages stay the same for everybody.
@csrf_exempt
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Choose the language of the interface and go back to where it was chosen."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = reverse("home")
    response = HttpResponseRedirect(back)
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        cookie = {"max_age": YEAR, "samesite": "Lax", "secure": settings.HTTPS}
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, chosen, **cookie)
    return response


@page
def manifest(request: HttpRequest) -> HttpResponse:
    """What an installed site is called and looks like."""
    icons = [{"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}]
    icons += [
        {"src": static(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any maskable"}
        for size in (192, 512)
    ]
    content = {
        "id": "/",
        "name": _("裁定帖"),
        "short_name": _("裁定帖"),
        "description": _("カードゲームの規則と裁定を調べる"),
        "lang": "ja",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#faf8f3",
        "theme_color": "#faf8f3",
        "icons": icons,
        "shortcuts": [
            {"name": _("裁定メモ"), "url": reverse("memo")},
            {"name": _("オフライン"), "url": reverse("offline")},
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False})


@page
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, served from the root so that it serves the whole site; it names the files it keeps."""
    found = finders.find("js/offline/worker.js")
    source = Path(str(found)).read_text(encoding="utf-8")
    shell = [static(name) for name in SHELL] + [reverse("offline"), reverse("memo")]
    head = f"const VERSION = {json.dumps(shell_version())};\nconst SHELL = {json.dumps(shell)};\n"
    return HttpResponse(head + source, content_type="text/javascript; charset=utf-8")


def shell_version() -> str:
    """A mark that changes with any file of the shell; worked out once per process, each time while debugging."""
    return _digest() if settings.DEBUG else _kept_digest()


def _digest() -> str:
    digest = hashlib.sha256()
    for name in SHELL:
        found = finders.find(name)
        if not found:
            raise FileNotFoundError(name)
        digest.update(Path(str(found)).read_bytes())
    return digest.hexdigest()[:16]


_kept_digest = lru_cache(maxsize=1)(_digest)
