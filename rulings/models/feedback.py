"""What readers report: an entry is old or wrong, and how they know. No personal data."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class FeedbackKind(models.TextChoices):
    OUTDATED = "outdated", _("古い")
    WRONG = "wrong", _("誤り")
    OTHER = "other", _("そのほか")


class FeedbackState(models.TextChoices):
    OPEN = "open", _("未対応")
    DONE = "done", _("対応済み")
    REFUSED = "refused", _("対応しない")


class Feedback(models.Model):
    """A report about an entry, in the editors' queue."""

    entry = models.ForeignKey("rulings.Entry", models.CASCADE, related_name="feedback", verbose_name=_("項目"))
    revision = models.ForeignKey(
        "rulings.Revision",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("報告されたときの文"),
    )
    kind = models.CharField(_("種類"), max_length=10, choices=FeedbackKind)
    text = models.TextField(_("内容"), max_length=1000)
    source = models.CharField(_("根拠"), max_length=500, blank=True)
    state = models.CharField(_("状態"), max_length=10, choices=FeedbackState, default=FeedbackState.OPEN)
    at = models.DateTimeField(_("日時"), auto_now_add=True)

    class Meta:
        verbose_name = verbose_name_plural = _("報告")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=FeedbackKind.values), name="feedback_kind_is_known"),
            models.CheckConstraint(condition=models.Q(state__in=FeedbackState.values), name="feedback_state_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}：{self.text[:40]}"
