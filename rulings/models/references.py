"""Cross-references: what a wording cites."""

from collections.abc import Collection
from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from rulings.models.kinds import LIVE
from rulings.text.citations import CitationKind


class Place(models.TextChoices):
    """The field of a revision in which a citation stands."""

    TITLE = "title", _("見出し")
    BODY = "body", _("本文")
    EXAMPLE = "example", _("例")
    LISTED = "listed", _("添え書き")  # given beside the text by a list, no offsets


class CrossReferenceQuerySet(models.QuerySet["CrossReference"]):
    def unresolved(self) -> "CrossReferenceQuerySet":
        return self.filter(entry__isnull=True, card__isnull=True)

    def in_force(self, on: date) -> "CrossReferenceQuerySet":
        """What the wordings of `on` cite; without a list of all of them, which `revision__in` would read."""
        begun = models.Q(revision__effective_on__isnull=True) | models.Q(revision__effective_on__lte=on)
        holding = models.Q(revision__ended_on__isnull=True) | models.Q(revision__ended_on__gt=on)
        return self.filter(begun, holding)

    def citing_counts(self, entry_ids: Collection[int], on: date) -> dict[int, int]:
        """How many entries that hold cite each of `entry_ids` in their wording of `on`."""
        found = self.in_force(on).filter(entry__in=entry_ids, revision__entry__status__in=LIVE)
        counted = found.values("entry").annotate(count=models.Count("revision__entry", distinct=True))
        return {row["entry"]: row["count"] for row in counted.order_by()}


class CrossReference(models.Model):
    """What a wording cites. What the text said is kept; what it resolves to is a cache that can be rebuilt."""

    revision = models.ForeignKey("rulings.Revision", models.CASCADE, related_name="references", verbose_name=_("改訂"))
    place = models.CharField(_("場所"), max_length=10, choices=Place)
    example = models.PositiveSmallIntegerField(_("例の番号"), default=0, help_text=_("0から数える"))
    start = models.PositiveIntegerField(_("開始"), default=0)
    end = models.PositiveIntegerField(_("終了"), default=0)
    kind = models.CharField(_("種類"), max_length=10, choices=[(kind.value, kind.value) for kind in CitationKind])
    text = models.CharField(_("引用された文字"), max_length=300)
    key = models.CharField(_("キー"), max_length=200, db_index=True)
    ruleset = models.ForeignKey(
        "rulings.Ruleset",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("引用先の規則集"),
    )
    entry = models.ForeignKey(
        "rulings.Entry",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="cited_by",
        verbose_name=_("引用先の項目"),
    )
    card = models.ForeignKey(
        "rulings.Card",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="cited_by",
        verbose_name=_("引用先のカード"),
    )

    objects = CrossReferenceQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("相互参照")
        ordering = ["revision", "place", "example", "start"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "place", "example", "start", "key"], name="reference_stands_once"
            ),
            models.CheckConstraint(
                condition=models.Q(entry__isnull=True) | models.Q(card__isnull=True),
                name="reference_resolves_to_one_thing",
            ),
            models.CheckConstraint(condition=models.Q(end__gte=models.F("start")), name="reference_span_is_valid"),
        ]

    def __str__(self) -> str:
        return self.text
