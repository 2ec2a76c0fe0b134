"""The change log: one row for every public change, numbered without gaps."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.db import connection, connections, models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rulings.models.prepared import Prepared

Seen = tuple[str, int, int]  # the database, its last change, its changes without a number
NOTHING_SEEN: Seen = ("", 0, 0)  # before the first change there is no row that a change would move
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


def new_identity() -> str:
    """A name for a database that no other bears."""
    return uuid4().hex


class ChangeKind(models.TextChoices):
    CREATED = "created", _("追加")
    UPDATED = "updated", _("変更")
    ENDED = "ended", _("終了")


class ChangeCounterManager(models.Manager["ChangeCounter"]):
    def state(self) -> "ChangeCounter":
        """The state of everything public, in one query; before the first change an unsaved row."""
        return next(iter(_counters([1])), None) or ChangeCounter(pk=1, database="", changed_at=BEGINNING)

    def seen(self) -> "Seen":
        """What tells this state of everything public from any other, read in the shortest way."""
        with connections[self.db].cursor() as cursor:
            cursor.execute(f"SELECT database, last, touched FROM {self.model._meta.db_table} WHERE id = 1")  # noqa: S608
            found: Seen | None = cursor.fetchone()
        return found or NOTHING_SEEN

    def locked(self) -> "ChangeCounter":
        """The row, locked until the caller commits."""
        return self.select_for_update().get_or_create(pk=1)[0]

    def touch(self) -> None:
        """Note a public change that is no entry's or card's (the name of a ruleset, a source)."""
        with transaction.atomic():
            counter = self.locked()
            counter.touched += 1
            counter.stamp()
            counter.save()


_counters = Prepared(lambda ids: ChangeCounter.objects.filter(pk__in=ids))


class ChangeCounter(models.Model):
    """The last number given out: one row, locked until the writer commits, so that numbers have no gaps.

    With it, what tells one state of the site from another: validators are drawn from this row alone.
    """

    last = models.PositiveBigIntegerField(_("最後の番号"), default=0)
    database = models.CharField(_("データベース"), max_length=32, default=new_identity, editable=False)
    touched = models.PositiveBigIntegerField(_("番号のない変更の数"), default=0)
    changed_at = models.DateTimeField(_("最後の変更"), default=timezone.now)

    objects = ChangeCounterManager()

    class Meta:
        verbose_name = verbose_name_plural = _("変更番号")

    def __str__(self) -> str:
        return str(self.last)

    def stamp(self) -> None:
        """Set the time of the last change: no two fall into one second, for Last-Modified to tell them apart."""
        now, next_second = timezone.now(), self.changed_at.replace(microsecond=0) + timedelta(seconds=1)
        self.changed_at = max(now, next_second)


class ChangeManager(models.Manager["Change"]):
    def record(self, changes: Sequence["Change"]) -> list["Change"]:
        """Number and save `changes` inside the caller's transaction; the numbers become visible with it."""
        if not changes:
            return []
        if not connection.in_atomic_block:
            raise transaction.TransactionManagementError("changes are recorded with what they describe")
        counter = ChangeCounter.objects.locked()
        for number, change in enumerate(changes, counter.last + 1):
            change.number = number
        counter.last += len(changes)
        counter.stamp()
        counter.save()
        return self.bulk_create(changes, batch_size=500)

    def mark_of(self, number: int, database: str) -> str:
        """What tells the change `number` of this database from that of another, or of one restored since."""
        at = self.filter(number=number).values_list("at", flat=True).first()
        told = f"{database} {number} {at.isoformat() if at else ''}"
        return sha256(told.encode()).hexdigest()[:12]

    def last_of_entries(self, limit: int, **which: Any) -> list["Change"]:
        """The last change of each entry, of those entries that changed last, the newest first."""
        of_each = self.filter(entry__isnull=False, **which).values("entry").annotate(last=models.Max("number"))
        numbers = list(of_each.order_by("-last").values_list("last", flat=True)[:limit])
        return list(self.filter(number__in=numbers).order_by("-number"))

    def latest_number(self) -> int:
        """The number of the last change, 0 before the first."""
        with connections[self.db].cursor() as cursor:  # in the shortest way: every search asks
            cursor.execute(f"SELECT MAX(number) FROM {self.model._meta.db_table}")  # noqa: S608
            return cursor.fetchone()[0] or 0


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
        indexes = [
            # Every search asks whether the names of cards are still as it knows them.
            models.Index(fields=["number"], condition=models.Q(card__isnull=False), name="change_of_card"),
        ]

    def __str__(self) -> str:
        return f"#{self.number}"
