"""Settings: the environment is read here and nowhere else."""

import os
import sys
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import TypeVar

try:  # Debian's SQLite 3.40 has the WAL-reset corruption bug; the wheel carries a mended one.
    import pysqlite3

    sys.modules["sqlite3"] = pysqlite3
except ImportError:
    pass

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
_T = TypeVar("_T")
BUILT_IN_SECRET_KEY = "built-in-key-for-debugging-only"  # noqa: S105 - refused outside RULINGS_DEBUG

env = environ.Env()
# A variable that is set to nothing counts as not set.
env.ENVIRON = {name: value for name, value in os.environ.items() if value.strip()}


def _understood(name: str, read: Callable[[], _T]) -> _T:
    """What a variable says; one that cannot be read is told by its name, not by a fault of the code that read it."""
    try:
        return read()
    except (ValueError, KeyError, TypeError) as error:
        raise ImproperlyConfigured(
            f"{name} の値「{env.ENVIRON[name]}」を読み取れません（README の表を見てください）。"
        ) from error


def _count(name: str, default: int) -> int:
    """A number of things, from 0."""
    return _understood(name, lambda: _from_zero(env.str(name, default=str(default))))


def _from_zero(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError("less than none")
    return number


DEBUG = env.bool("RULINGS_DEBUG", default=False)
DATA_DIR = Path(env.str("RULINGS_DATA_DIR", default="") or BASE_DIR / "var").resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)
INDEX_DIR = DATA_DIR / "index"
SEARCH_ERRORS_RAISE = False  # a fault of the search is logged and the database answers; tests want to see it
EXPORTS_DIR = DATA_DIR / "exports"

SECRET_KEY = env.str("RULINGS_SECRET_KEY", default="").strip() or BUILT_IN_SECRET_KEY
if SECRET_KEY == BUILT_IN_SECRET_KEY and not DEBUG:
    raise ImproperlyConfigured(
        "RULINGS_SECRET_KEY を設定してください（試すだけなら RULINGS_DEBUG=1、または make run を使ってください）。"
    )
# Keys that were in use before: what they signed is still known, and webhooks are signed with them too.
SECRET_KEY_FALLBACKS = [key for key in env.list("RULINGS_SECRET_KEY_FALLBACKS", default=[]) if key]
ALLOWED_HOSTS = env.list("RULINGS_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# Behind TLS (a real deployment): secure cookies, HSTS, redirect. `make run` serves plain HTTP on this machine.
HTTPS = env.bool("RULINGS_HTTPS", default=False)
CSRF_TRUSTED_ORIGINS = [
    f"https://{host.replace('.', '*.', 1) if host.startswith('.') else host}"
    for host in ALLOWED_HOSTS
    if HTTPS and host != "*"
]

INSTALLED_APPS = [
    "rulings.apps.RulingsConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "corsheaders",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "rulings.api.middleware.ApiMiddleware",
    "rulings.middleware.ContentSecurityPolicyMiddleware",
    "rulings.middleware.DueMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "rulings.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "rulings.urls"
WSGI_APPLICATION = "rulings.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "rulings.web.dating.dating",
            ]
        },
    }
]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'rulings.sqlite3'}")}
_understood("DATABASE_URL", lambda: DATABASES["default"]["ENGINE"])
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",  # two writers wait for each other instead of failing
        "timeout": 60,  # seconds; SQLite lets waiting writers in by chance: among four that never pause one met 20
        # NORMAL under WAL: a power cut may lose the last commits, never corrupt the file.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

LANGUAGE_CODE = "ja"
LANGUAGES = [("ja", "日本語"), ("en", "English")]
TIME_ZONE = "Asia/Tokyo"
USE_I18N = True
USE_TZ = True
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
FIXTURE_DIRS = [BASE_DIR / "fixtures"]

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
# `make run` collects and compresses the static files; a fresh clone serves them without that step.
WHITENOISE_USE_FINDERS = DEBUG or not (STATIC_ROOT / "site.css").exists()

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
BEHIND_PROXY = env.bool("RULINGS_BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None

# Requests a minute and client, by class of endpoint; 0 is no limit. Keys multiply them.
LIMITS = {"read": 1200, "search": 600, "heavy": 60, "check": 300}


def _limits() -> dict[str, int]:
    given = {name: _from_zero(value) for name, value in env.dict("RULINGS_LIMITS", default={}).items()}
    if unknown := given.keys() - LIMITS.keys():
        raise ValueError(f"no classes: {unknown}")
    return LIMITS | given


LIMITS = _understood("RULINGS_LIMITS", _limits)
LIMIT_LOOPBACK = env.bool("RULINGS_LIMIT_LOOPBACK", default=False)  # also what this machine asks itself
COUNTERS_FILE = DATA_DIR / "counters"
# Chat front ends are there when configured.
DISCORD_PUBLIC_KEY = env.str("RULINGS_DISCORD_PUBLIC_KEY", default="")
LINE_SECRET = env.str("RULINGS_LINE_SECRET", default="")
LINE_TOKEN = env.str("RULINGS_LINE_TOKEN", default="")
LINE_API = "https://api.line.me"
# Webhooks. The site itself delivers ("auto"), or the command alone ("off"). Plain HTTP and odd ports for trials only.
WEBHOOKS = env.str("RULINGS_WEBHOOKS", default="auto")
WEBHOOKS_PER_KEY = _count("RULINGS_WEBHOOKS_PER_KEY", 20)
WEBHOOK_PLAIN_HTTP = DEBUG
try:
    WEBHOOK_ALLOW = [ip_network(one.strip()) for one in env.list("RULINGS_WEBHOOK_ALLOW", default=[]) if one.strip()]
except ValueError as error:
    raise ImproperlyConfigured("RULINGS_WEBHOOK_ALLOW は 10.1.0.0/16 のようなネットワークの並びです。") from error
WEBHOOK_LOCK = DATA_DIR / "webhooks.lock"
LONG_POLLS = _count("RULINGS_LONG_POLLS", 2)  # that a process holds open at once; each holds a thread
# Pages of other sites may read the API (never with cookies), and ask it what only POST can carry.
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS", "POST"]
CORS_ALLOW_HEADERS = ["accept", "authorization", "content-type", "if-match", "if-modified-since", "if-none-match"]
CORS_EXPOSE_HEADERS = [
    "ETag", "X-Change-Number", "X-Change-Mark", "X-Content-SHA256", "RateLimit", "RateLimit-Policy", "Retry-After",
]  # fmt: skip

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rulings.api.parsers.BoundedJsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "rulings.api.errors.problem_handler",
    "URL_FORMAT_OVERRIDE": None,  # the form of an answer is asked for by Accept alone
}
SPECTACULAR_SETTINGS = {
    "TITLE": "裁定 API",
    "DESCRIPTION": (
        "トレーディングカードゲームの規則・よくある質問・カード相互作用を調べる API。\n\n"
        "どの答えも ETag と X-Change-Number を持つ。上限は区分ごとの一分あたりの回数で、既定は "
        "read 1200、search 600、heavy 60、check 300。"
        "RateLimit ヘッダーで残りを、429 の Retry-After で待つ秒数を知らせる。"
        "Authorization: Bearer に API キーを添えると増える。304 は数えない。"
    ),
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "WEBHOOKS": ["rulings.api.webhooks.CHANGES", "rulings.api.webhooks.PING"],
    "POSTPROCESSING_HOOKS": ["rulings.api.schema.tidy"],
    "TAGS": [
        {"name": name}
        for name in ("検索", "項目", "規則集", "よくある質問", "カード相互作用", "カード", "改定", "同期", "通知")
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}
