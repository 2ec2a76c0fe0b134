"""Where texts came from."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from rulings.importers.records import Form


class Source(models.Model):
    """A document or list as it was read, whole, so that every entry can show its lines."""

    ruleset = models.ForeignKey(
        "rulings.Ruleset", models.PROTECT, null=True, blank=True, related_name="sources", verbose_name=_("規則集")
    )
    title = models.CharField(_("題名"), max_length=300)
    publisher = models.CharField(_("発行者"), max_length=200, blank=True)
    url = models.URLField(_("URL"), max_length=500, blank=True)
    form = models.CharField(_("形式"), max_length=20, blank=True, choices=[(form.value, form.value) for form in Form])
    published_on = models.DateField(_("公開日"), null=True, blank=True)
    retrieved_at = models.DateTimeField(_("取得日時"), auto_now_add=True)
    sha256 = models.CharField(_("SHA-256"), max_length=64, db_index=True)
    text = models.TextField(_("原文"))
    account = models.JSONField(_("行の行き先"), default=list, blank=True, help_text=_("空行でない各行が何になったか"))

    class Meta:
        verbose_name = verbose_name_plural = _("出典")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.title

    def lines(self, first: int, last: int) -> list[str]:
        """Return the lines `first` to `last` (1-based, inclusive) of the text."""
        return self.text.split("\n")[first - 1 : last]
