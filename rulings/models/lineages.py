"""From which rule a rule came when one became several, or several one."""

from collections import defaultdict
from collections.abc import Collection
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from rulings.models.entries import Entry


class LineageKind(models.TextChoices):
    SPLIT = "split", _("分割")
    MERGE = "merge", _("統合")


class LineageQuerySet(models.QuerySet["Lineage"]):
    def partners(self, entry_ids: Collection[int]) -> set[int]:
        """The entries that show one of `entry_ids` as what they came from or went to."""
        rows = self.filter(Q(before__in=entry_ids) | Q(after__in=entry_ids)).values_list("before", "after")
        return {pk for pair in rows for pk in pair}

    def of(self, entry_ids: Collection[int]) -> dict[int, list["Lineage"]]:
        """The lineages in which each of the entries stands, oldest first, with the entries at both ends."""
        found: dict[int, list[Lineage]] = defaultdict(list)
        ids = set(entry_ids)
        rows = self.filter(Q(before__in=ids) | Q(after__in=ids)).select_related("before__ruleset", "after__ruleset")
        for one in rows.order_by("effective_on", "pk"):
            for pk in ids & {one.before_id, one.after_id}:
                found[pk].append(one)
        return found


class Lineage(models.Model):
    """A part of the text of `before` went to `after` on a day; both are sections of one ruleset.

    Of a rule that was split into several, each other part has a row; of rules that were merged, each that joined.
    """

    kind = models.CharField(_("種類"), max_length=5, choices=LineageKind)
    before = models.ForeignKey("rulings.Entry", models.PROTECT, related_name="lineages_on", verbose_name=_("前の条項"))
    after = models.ForeignKey("rulings.Entry", models.PROTECT, related_name="lineages_back", verbose_name=_("後の条項"))
    effective_on = models.DateField(_("その日"), help_text=_("分かれた日、またはまとめられた日"))
    amendment = models.ForeignKey(
        "rulings.Amendment", models.PROTECT, null=True, blank=True, related_name="lineages", verbose_name=_("改定")
    )
    editor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("編集者")
    )
    note = models.TextField(_("覚え書き"), blank=True)
    created_at = models.DateTimeField(_("登録日時"), auto_now_add=True)

    objects = LineageQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("分割・統合")
        ordering = ["-effective_on", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["before", "after", "effective_on"], name="lineage_is_told_once"),
            models.CheckConstraint(condition=~Q(before=F("after")), name="lineage_is_between_two"),
        ]

    def __str__(self) -> str:
        return f"{self.before_id} → {self.after_id}"

    @property
    def before_address(self) -> str:
        return _address(self.before)

    @property
    def after_address(self) -> str:
        return _address(self.after)


def _address(entry: "Entry") -> str:
    """The page of a section; of an ended one its history, for another rule may stand under its number now."""
    if entry.is_live:
        return entry.get_absolute_url()
    return reverse("section-history", args=[entry.ruleset.slug, entry.number])
