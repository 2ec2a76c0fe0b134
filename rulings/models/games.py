"""Games and their rulesets."""

from datetime import date

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from rulings.models.kinds import LIVE, Kind
from rulings.text.slugs import SITE_WORDS


class Game(models.Model):
    """A card game."""

    slug = models.SlugField(_("スラッグ"), unique=True)
    name = models.CharField(_("名前"), max_length=100)

    class Meta:
        verbose_name = verbose_name_plural = _("ゲーム")
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name


class Authority(models.TextChoices):
    """Who stands behind a ruleset, the weightiest first."""

    OFFICIAL = "official", _("公式")
    ORGANIZER = "organizer", _("主催者")
    COMMUNITY = "community", _("コミュニティ")
    HOUSE = "house", _("ハウスルール")


def _holding(kind: Kind) -> Coalesce:
    """Count a ruleset's entries of a kind that hold: read from an index alone, without the entries."""
    entries = apps.get_model("rulings", "Entry")._default_manager
    own = entries.filter(ruleset=models.OuterRef("pk"), kind=kind, status__in=LIVE).order_by().values("ruleset")
    return Coalesce(models.Subquery(own.annotate(count=models.Count("pk")).values("count")), 0)


class RulesetQuerySet(models.QuerySet["Ruleset"]):
    def with_counts(self) -> "RulesetQuerySet":
        """Count the sections and questions that hold: `section_count`, `faq_count`."""
        return self.annotate(section_count=_holding(Kind.SECTION), faq_count=_holding(Kind.FAQ))


def validate_free_slug(slug: str) -> None:
    """Refuse a slug whose address is that of another page."""
    if slug in SITE_WORDS:
        raise ValidationError(_("このスラッグはサイトのほかのページに使われています。別のものにしてください。"))


class Ruleset(models.Model):
    """One body of rules of a game. A rule number means nothing without its ruleset."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="rulesets", verbose_name=_("ゲーム"))
    slug = models.SlugField(_("スラッグ"), unique=True, validators=[validate_free_slug])
    name = models.CharField(_("名前"), max_length=100)
    authority = models.CharField(_("権威"), max_length=20, choices=Authority, default=Authority.OFFICIAL)
    base = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="overlays",
        verbose_name=_("土台の規則集"),
        help_text=_("この規則集が上書きする規則集"),
    )
    description = models.TextField(_("説明"), blank=True)
    position = models.PositiveIntegerField(_("並び順"), default=0)

    objects = RulesetQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("規則集")
        ordering = ["game__slug", "position", "slug"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(authority__in=Authority.values), name="ruleset_authority_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(base__isnull=True) | ~models.Q(base=models.F("id")),
                name="ruleset_is_not_its_own_base",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("ruleset", args=[self.slug])

    def known_since(self) -> date | None:
        """The first day of which anything is known; None when something is known from the beginning, or nothing."""
        days = [amendment.effective_on for amendment in self.amendments.all()]
        known = [day for day in days if day is not None]
        return min(known) if known and len(known) == len(days) else None
