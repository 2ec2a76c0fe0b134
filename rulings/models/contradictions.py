"""Pairs of answers that cannot both be right, until someone settles them."""

from collections import defaultdict
from collections.abc import Collection
from typing import TYPE_CHECKING, Self

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from rulings.models.kinds import LIVE
from rulings.models.prepared import Prepared

if TYPE_CHECKING:
    from rulings.models.entries import Entry


class ContradictionKind(models.TextChoices):
    OPPOSITE = "opposite", _("同じカードと規則について、逆の裁定")
    REASKED = "reasked", _("同じ質問に、別の回答")


class ContradictionQuerySet(models.QuerySet["Contradiction"]):
    def unsettled(self) -> Self:
        """Both answers still hold, and nobody has said why."""
        return self.filter(note="", older__status__in=LIVE, newer__status__in=LIVE)

    @staticmethod
    def by_entry() -> dict[int, list["Entry"]]:
        """The answers that each entry disagrees with, of all that are unsettled: they are few."""
        found: dict[int, list[Entry]] = defaultdict(list)
        pairs = _unsettled_pairs.all()
        if not pairs:
            return found
        ids = {pk for pair in pairs for pk in pair}
        known = apps.get_model("rulings", "Entry").objects.select_related("ruleset").in_bulk(ids)
        for older, newer in pairs:
            found[older].append(known[newer])
            found[newer].append(known[older])
        return found

    def partners(self, entry_ids: Collection[int]) -> set[int]:
        """Entries that nobody has said may disagree with one of `entry_ids`, and do or did."""
        pairs = self.filter(Q(older__in=entry_ids) | Q(newer__in=entry_ids), note="").values_list("older", "newer")
        return {pk for pair in pairs for pk in pair}


_unsettled_pairs = Prepared(lambda _ids: Contradiction.objects.unsettled().order_by("pk").values_list("older", "newer"))


class Contradiction(models.Model):
    """Two answers that disagree. It is settled when one ends, or by a note on why both stand."""

    kind = models.CharField(_("種類"), max_length=10, choices=ContradictionKind)
    older = models.ForeignKey("rulings.Entry", models.PROTECT, related_name="+", verbose_name=_("古い回答"))
    newer = models.ForeignKey("rulings.Entry", models.PROTECT, related_name="+", verbose_name=_("新しい回答"))
    note = models.TextField(_("両方が正しい理由"), blank=True)
    noted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("書いた人")
    )
    found_at = models.DateTimeField(_("見つけた日時"), auto_now_add=True)

    objects = ContradictionQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("食い違い")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["older", "newer"], name="contradiction_is_reported_once"),
            models.CheckConstraint(condition=~Q(older=F("newer")), name="contradiction_is_between_two"),
        ]

    def __str__(self) -> str:
        return f"{self.older_id} / {self.newer_id}"
