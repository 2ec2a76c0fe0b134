"""Keys that raise the limits of the API."""

import secrets
from hashlib import sha256

from django.db import models
from django.utils.translation import gettext_lazy as _

PREFIX = "rk_"


def digest_of(key: str) -> str:
    """What is kept of a key. Keys are long and random, so a plain hash cannot be guessed back."""
    return sha256(key.encode("utf-8", "backslashreplace")).hexdigest()


class ApiKeyManager(models.Manager["ApiKey"]):
    def issue(self, name: str, factor: int = 10) -> tuple["ApiKey", str]:
        """Make a key; return it with its secret, which is shown this once and kept nowhere."""
        secret = PREFIX + secrets.token_urlsafe(32)
        return self.create(name=name, factor=factor, hint=secret[:7], digest=digest_of(secret)), secret

    def valid(self, secret: str) -> "ApiKey | None":
        return self.filter(digest=digest_of(secret), revoked_at=None).first()


class ApiKey(models.Model):
    """A key, hashed; revoked keys stay, so that it is known whose they were."""

    name = models.CharField(_("使う人・用途"), max_length=100)
    hint = models.CharField(_("はじめの文字"), max_length=10, editable=False)
    digest = models.CharField(_("ハッシュ"), max_length=64, unique=True, editable=False)
    factor = models.PositiveIntegerField(_("上限の倍率"), default=10)
    created_at = models.DateTimeField(_("発行日時"), auto_now_add=True)
    revoked_at = models.DateTimeField(_("取り消し日時"), null=True, blank=True)

    objects = ApiKeyManager()

    class Meta:
        verbose_name = verbose_name_plural = _("APIキー")
        ordering = ["-created_at", "-pk"]
        constraints = [models.CheckConstraint(condition=models.Q(factor__gte=1), name="api_key_raises_limits")]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"
