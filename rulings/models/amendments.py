"""Dated changes to rulesets."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class Amendment(models.Model):
    """A dated change to a ruleset. The first full text of a ruleset is an amendment too."""

    ruleset = models.ForeignKey("rulings.Ruleset", models.PROTECT, related_name="amendments", verbose_name=_("規則集"))
    source = models.ForeignKey(
        "rulings.Source",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="amendments",
        verbose_name=_("出典"),
    )
    title = models.CharField(_("題名"), max_length=300)
    announced_on = models.DateField(_("発表日"), null=True, blank=True)
    effective_on = models.DateField(_("施行日"), null=True, blank=True, help_text=_("空欄は不明"))
    is_complete = models.BooleanField(_("全文"), default=False, help_text=_("規則集の全文を収めている"))
    created_at = models.DateTimeField(_("登録日時"), auto_now_add=True)

    class Meta:
        verbose_name = verbose_name_plural = _("改定")
        ordering = [models.F("effective_on").desc(nulls_last=True), "-id"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("amendment", args=[self.pk])

    @property
    def heading(self) -> str:
        """What it is called; one that bears only the name of its ruleset is called an amendment of it."""
        if self.title != self.ruleset.name:
            return self.title
        return gettext("%(ruleset)sの改定") % {"ruleset": self.title}


class AmendmentGroup(models.Model):
    """A group of changes as the announcement groups them."""

    amendment = models.ForeignKey(Amendment, models.CASCADE, related_name="groups", verbose_name=_("改定"))
    position = models.PositiveIntegerField(_("並び順"))
    title = models.TextField(_("見出し"), blank=True)
    is_editorial = models.BooleanField(_("編集上の変更"), default=False, help_text=_("規則の内容は変わらない"))
    # The announcement may list a number whose wording it does not change.
    listed = models.ManyToManyField(
        "rulings.Entry", blank=True, related_name="listed_in", verbose_name=_("告知が挙げる項目")
    )

    class Meta:
        verbose_name = verbose_name_plural = _("改定のまとまり")
        ordering = ["amendment", "position"]
        constraints = [
            models.UniqueConstraint(fields=["amendment", "position"], name="amendment_group_position_is_unique")
        ]

    def __str__(self) -> str:
        return self.title or f"{self.amendment} ({self.position + 1})"
