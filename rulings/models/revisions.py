"""Revisions: the dated wordings of an entry."""

from datetime import date
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from rulings.text.verdicts import Verdict as TextVerdict


class Event(models.TextChoices):
    ADDED = "added", _("追加")
    EDITED = "edited", _("変更")
    MOVED = "moved", _("移動")
    DELETED = "deleted", _("削除")


class Verdict(models.TextChoices):
    YES = TextVerdict.YES.value, _("はい")
    NO = TextVerdict.NO.value, _("いいえ")
    NONE = TextVerdict.NONE.value, _("なし")


class RevisionQuerySet(models.QuerySet["Revision"]):
    def started_by(self, on: date) -> Self:
        """Revisions that have begun on `on` (an unknown beginning has always begun) and were not skipped over."""
        return self.filter(Q(effective_on__isnull=True) | Q(effective_on__lte=on)).exclude(
            ended_on__isnull=False, ended_on=F("effective_on")
        )

    def newest_first(self) -> Self:
        """The reverse of `Revision.chronology`."""
        return self.order_by(F("effective_on").desc(nulls_last=True), "-pk")

    def coming(self, on: date) -> Self:
        """The wordings that begin after `on`, and were not taken back."""
        return self.filter(effective_on__gt=on).exclude(ended_on=F("effective_on")).exclude(event=Event.DELETED)

    def in_force(self, on: date) -> Self:
        """The wordings in force on `on`."""
        return self.started_by(on).filter(Q(ended_on__isnull=True) | Q(ended_on__gt=on)).exclude(event=Event.DELETED)


class Revision(models.Model):
    """One dated wording of an entry, in force on [effective_on, ended_on).

    The revisions of an entry never overlap (held by the database: see the migration of the exclusion trigger). A
    revision that was replaced on the day it began has an empty range. A deletion is a revision without a text.
    """

    entry = models.ForeignKey("rulings.Entry", models.CASCADE, related_name="revisions", verbose_name=_("項目"))
    event = models.CharField(_("出来事"), max_length=10, choices=Event, default=Event.ADDED)
    number = models.CharField(_("当時の番号"), max_length=120, blank=True)
    title = models.TextField(_("見出し・質問"), blank=True)
    body = models.TextField(_("本文・回答"), blank=True)
    examples = models.JSONField(_("例"), default=list, blank=True, help_text=_('[{"label": "例", "text": "…"}]'))
    verdict = models.CharField(_("裁定"), max_length=4, choices=Verdict, default=Verdict.NONE)
    effective_on = models.DateField(_("施行日"), null=True, blank=True, help_text=_("空欄は不明（はじめから）"))
    ended_on = models.DateField(_("終了日"), null=True, blank=True, help_text=_("この日から効力がない"))
    due_on = models.DateField(
        _("適用予定日"), null=True, blank=True, db_index=True, help_text=_("この日に効力をもつ。適用されたあとは空欄")
    )
    is_editorial = models.BooleanField(_("編集上の変更"), default=False)
    amendment = models.ForeignKey(
        "rulings.Amendment",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="revisions",
        verbose_name=_("改定"),
    )
    group = models.ForeignKey(
        "rulings.AmendmentGroup",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="revisions",
        verbose_name=_("改定のまとまり"),
    )
    source = models.ForeignKey(
        "rulings.Source", models.PROTECT, null=True, blank=True, related_name="revisions", verbose_name=_("出典")
    )
    lines = models.JSONField(_("出典の行"), default=list, blank=True)
    editor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("編集者")
    )
    reason = models.TextField(_("理由"), blank=True)
    successor = models.ForeignKey(
        "rulings.Entry",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("後継"),
        help_text=_("削除のとき、代わりになる項目"),
    )
    retracted_on = models.DateField(
        _("取りやめた日"), null=True, blank=True, help_text=_("予告されただけで、効力をもつ前に取りやめられた")
    )
    retraction = models.TextField(_("取りやめた理由"), blank=True)
    created_at = models.DateTimeField(_("登録日時"), auto_now_add=True)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("改訂")
        ordering = [F("effective_on").asc(nulls_first=True), "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(ended_on__isnull=True), name="entry_has_one_open_revision"
            ),
            models.CheckConstraint(
                condition=Q(ended_on__isnull=True) | Q(effective_on__isnull=True) | Q(ended_on__gte=F("effective_on")),
                name="revision_ends_after_it_begins",
            ),
            models.CheckConstraint(condition=~Q(event="deleted") | Q(title="", body=""), name="deletion_has_no_text"),
            models.CheckConstraint(
                condition=Q(retracted_on__isnull=True) | Q(ended_on=F("effective_on"), due_on__isnull=True),
                name="retracted_holds_on_no_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.effective_on or '—'} {self.get_event_display()}"

    @property
    def is_text(self) -> bool:
        """Whether this revision is a wording and not a deletion."""
        return self.event != Event.DELETED

    @property
    def held_never(self) -> bool:
        """Whether it holds on no day: replaced on the day it began, or taken back before it."""
        return self.ended_on is not None and self.ended_on == self.effective_on

    @property
    def whole_text(self) -> str:
        """The body followed by its examples, one `label：text` after the other, as a document prints them."""
        return "\n".join([self.body, *(f"{example['label']}：{example['text']}" for example in self.examples)]).strip()

    def holds_on(self, on: date) -> bool:
        """Whether `on` lies in [effective_on, ended_on)."""
        begun = self.effective_on is None or self.effective_on <= on
        return begun and (self.ended_on is None or on < self.ended_on)

    def chronology(self) -> tuple[date, int]:
        """Sort key: oldest first, an unknown beginning before all others."""
        return self.effective_on or date.min, self.pk
