"""The change log: one row for every public change, numbered without gaps."""

from collections.abc import Sequence

from django.db import connection, models, transaction
from django.utils.translation import gettext_lazy as _


class ChangeKind(models.TextChoices):
    CREATED = "created", _("追加")
    UPDATED = "updated", _("変更")
    ENDED = "ended", _("終了")


class ChangeCounter(models.Model):
    """The last number given out: one row, locked until the writer commits, so that numbers have no gaps."""

    last = models.PositiveBigIntegerField(_("最後の番号"), default=0)

    class Meta:
        verbose_name = verbose_name_plural = _("変更番号")

    def __str__(self) -> str:
        return str(self.last)


class ChangeManager(models.Manager["Change"]):
    def record(self, changes: Sequence["Change"]) -> list["Change"]:
        """Number and save `changes` inside the caller's transaction; the numbers become visible with it."""
        if not changes:
            return []
        if not connection.in_atomic_block:
            raise transaction.TransactionManagementError("changes are recorded with what they describe")
        counter, _created = ChangeCounter.objects.select_for_update().get_or_create(pk=1)
        for number, change in enumerate(changes, counter.last + 1):
            change.number = number
        counter.last += len(changes)
        counter.save()
        return self.bulk_create(changes, batch_size=500)

    def latest_number(self) -> int:
        """The number of the last change, 0 before the first."""
        return self.aggregate(last=models.Max("number"))["last"] or 0


class Change(models.Model):
    """One public change of an entry or a card."""

    number = models.PositiveBigIntegerField(_("番号"), primary_key=True)
    kind = models.CharField(_("種類"), max_length=10, choices=ChangeKind)
    entry = models.ForeignKey(
        "rulings.Entry", models.PROTECT, null=True, blank=True, related_name="changes", verbose_name=_("項目")
    )
    card = models.ForeignKey(
        "rulings.Card", models.PROTECT, null=True, blank=True, related_name="changes", verbose_name=_("カード")
    )
    at = models.DateTimeField(_("日時"), auto_now_add=True)

    objects = ChangeManager()

    class Meta:
        verbose_name = verbose_name_plural = _("変更記録")
        ordering = ["number"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(entry__isnull=False, card__isnull=True)
                | models.Q(entry__isnull=True, card__isnull=False),
                name="change_has_one_subject",
            )
        ]

    def __str__(self) -> str:
        return f"#{self.number}"
