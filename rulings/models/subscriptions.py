"""Webhooks: who is told of which changes, how far they were told, and every attempt to tell them."""

from datetime import datetime
from typing import Self
from urllib.parse import unquote_plus

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

KEPT_ATTEMPTS = 100  # of each subscription


class SubscriptionState(models.TextChoices):
    PENDING = "pending", _("確認待ち")  # its address has not answered a ping yet
    ACTIVE = "active", _("配信中")
    DISABLED = "disabled", _("停止")


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def alive(self) -> Self:
        """Those that are delivered to: neither stopped nor of a revoked key."""
        return self.exclude(state=SubscriptionState.DISABLED).filter(key__revoked_at=None)

    def due(self, latest: int, now: datetime) -> Self:
        """Those for which something is to be done, when the last change is `latest`."""
        waiting = Q(state=SubscriptionState.PENDING) | ~Q(position=latest)
        return self.alive().filter(waiting, next_attempt_at__lte=now)


class Subscription(models.Model):
    """What one key wants to be told of, and where. `position` is the last change that was told: nothing is lost."""

    key = models.ForeignKey(
        "rulings.ApiKey", models.PROTECT, related_name="subscriptions", verbose_name=_("APIキー"), editable=False
    )
    url = models.CharField(_("宛先"), max_length=500)
    base = models.CharField(_("このサイトのアドレス"), max_length=300, help_text=_("知らせるアドレスのはじめ"))
    salt = models.CharField(_("署名の種"), max_length=32, editable=False)

    ruleset = models.ForeignKey(
        "rulings.Ruleset", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("規則集")
    )
    card = models.ForeignKey(
        "rulings.Card", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("カード")
    )
    search = models.CharField(_("検索"), max_length=1000, blank=True)

    state = models.CharField(
        _("状態"), max_length=10, choices=SubscriptionState, default=SubscriptionState.PENDING, editable=False
    )
    reason = models.CharField(_("停止の理由"), max_length=300, blank=True)
    state_at = models.DateTimeField(_("状態の日時"), default=timezone.now)
    verified_at = models.DateTimeField(_("宛先を確かめた日時"), null=True, blank=True)

    position = models.PositiveBigIntegerField(_("届けた番号"))
    # The end of the delivery that is being tried: every attempt sends the same changes under the same id.
    until = models.PositiveBigIntegerField(_("届けている番号"), null=True, blank=True)
    epoch = models.PositiveIntegerField(_("やり直しの回数"), default=0)  # a replay sends under other ids
    failures = models.PositiveIntegerField(_("続けて失敗した回数"), default=0)
    failing_since = models.DateTimeField(_("失敗しはじめた日時"), null=True, blank=True)
    next_attempt_at = models.DateTimeField(_("次に試す日時"), default=timezone.now)
    created_at = models.DateTimeField(_("登録日時"), auto_now_add=True)

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("通知の登録")
        ordering = ["pk"]
        indexes = [models.Index(fields=["state", "next_attempt_at"], name="subscription_due")]
        constraints = [
            models.CheckConstraint(
                condition=Q(ruleset__isnull=False, card__isnull=True, search="")
                | Q(ruleset__isnull=True, card__isnull=False, search="")
                | Q(ruleset__isnull=True, card__isnull=True) & ~Q(search=""),
                name="subscription_has_one_subject",
            ),
            models.CheckConstraint(condition=Q(state__in=SubscriptionState.values), name="subscription_state_is_known"),
            models.CheckConstraint(condition=~Q(state="disabled") | ~Q(reason=""), name="disabled_has_reason"),
            models.CheckConstraint(
                condition=~Q(state="active") | Q(verified_at__isnull=False), name="active_was_verified"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.url}"

    @property
    def subject(self) -> str:
        """What is told of, for people."""
        return str(self.ruleset or self.card or unquote_plus(self.search))


class KnownEntry(models.Model):
    """An entry that a receiver holds: told to belong to the card or the search, until told otherwise."""

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="known", verbose_name=_("通知の登録"))
    entry = models.ForeignKey("rulings.Entry", models.CASCADE, related_name="+", verbose_name=_("項目"))
    # The change with which it belonged there no longer; kept, so that a replay tells that again.
    left = models.PositiveBigIntegerField(_("外れた番号"), null=True, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = _("知らせた項目")
        constraints = [models.UniqueConstraint(fields=["subscription", "entry"], name="known_entry_is_unique")]

    def __str__(self) -> str:
        return f"{self.subscription_id} {self.entry_id}"


class MessageKind(models.TextChoices):
    PING = "ping", _("確認")
    CHANGES = "changes", _("変更")


class AttemptManager(models.Manager["Attempt"]):
    def keep(self, attempt: "Attempt") -> "Attempt":
        """Save an attempt; of each subscription the last ones stay."""
        attempt.save()
        own = self.filter(subscription=attempt.subscription_id)
        oldest = own.order_by("-pk").values_list("pk", flat=True)[KEPT_ATTEMPTS - 1 : KEPT_ATTEMPTS].first()
        if oldest is not None:
            own.filter(pk__lt=oldest).delete()
        return attempt


class Attempt(models.Model):
    """One POST to a receiver and what came of it."""

    subscription = models.ForeignKey(
        Subscription, models.CASCADE, related_name="attempts", verbose_name=_("通知の登録")
    )
    at = models.DateTimeField(_("日時"), default=timezone.now)
    message_id = models.CharField(_("webhook-id"), max_length=100)
    kind = models.CharField(_("種類"), max_length=10, choices=MessageKind)
    since = models.PositiveBigIntegerField(_("この番号の後から"), null=True, blank=True)
    until = models.PositiveBigIntegerField(_("この番号まで"), null=True, blank=True)
    count = models.PositiveIntegerField(_("変更の数"), default=0)
    status = models.PositiveSmallIntegerField(_("HTTP"), null=True, blank=True)
    milliseconds = models.PositiveIntegerField(_("ミリ秒"), default=0)
    error = models.CharField(_("問題"), max_length=300, blank=True)

    objects = AttemptManager()

    class Meta:
        verbose_name = verbose_name_plural = _("配信の記録")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.message_id} {self.status or ''}"
