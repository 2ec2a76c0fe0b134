"""What reviewers decided about entries in doubt."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from rulings.models.entries import Entry
from rulings.models.entry_queries import EntryQuerySet
from rulings.models.kinds import Kind, Status


class Decision(models.TextChoices):
    CONFIRMED = "confirmed", _("このままでよい")
    CORRECTED = "corrected", _("書き直した")
    SUPERSEDED = "superseded", _("差し替えた")
    WITHDRAWN = "withdrawn", _("取り下げた")


class Review(models.Model):
    """One decision: who, when, about which doubt, and why."""

    entry = models.ForeignKey("rulings.Entry", models.PROTECT, related_name="reviews", verbose_name=_("項目"))
    decision = models.CharField(_("判断"), max_length=12, choices=Decision)
    doubt = models.TextField(_("疑い"), blank=True, help_text=_("見直しを待っていた理由"))
    note = models.TextField(_("覚え書き"))
    revision = models.ForeignKey(
        "rulings.Revision", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("新しい文面")
    )
    successor = models.ForeignKey(
        "rulings.Entry", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("後継")
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("判断した人")
    )
    at = models.DateTimeField(_("日時"), auto_now_add=True)

    class Meta:
        verbose_name = verbose_name_plural = _("見直しの記録")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(note=""), name="review_has_a_note"),
            models.CheckConstraint(
                condition=~models.Q(decision="superseded") | models.Q(successor__isnull=False),
                name="review_that_supersedes_names_the_successor",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.get_decision_display()}"


class DoubtManager(models.Manager.from_queryset(EntryQuerySet)):  # type: ignore[misc]
    """Sees what waits for a review. An interaction shares the doubt of what rules it, and is settled with it."""

    def get_queryset(self) -> EntryQuerySet:
        found = super().get_queryset().filter(status=Status.NEEDS_REVIEW)
        return found.exclude(kind=Kind.INTERACTION, ruled_by__status=Status.NEEDS_REVIEW)


class Doubt(Entry):
    """An entry that waits for a review: the queue."""

    KIND: ClassVar[Kind | None] = None
    objects = DoubtManager()  # type: ignore[misc]

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("見直し待ち")
