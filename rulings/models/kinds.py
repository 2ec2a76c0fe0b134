"""The kinds, statuses and levels of entries."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from rulings.importers.records import Level as RecordLevel


class Kind(models.TextChoices):
    SECTION = "section", _("条項")
    FAQ = "faq", _("よくある質問")
    INTERACTION = "interaction", _("カード相互作用")


class Status(models.TextChoices):
    """The state of an entry today. What is announced for a later day takes effect on it (`services.due`)."""

    ANNOUNCED = "announced", _("施行前")
    CURRENT = "current", _("有効")
    NEEDS_REVIEW = "needs_review", _("要確認")
    SUPERSEDED = "superseded", _("差し替え済み")
    WITHDRAWN = "withdrawn", _("取り下げ")


# Statuses under which an entry still answers a question.
LIVE = (Status.CURRENT, Status.NEEDS_REVIEW)


class Level(models.TextChoices):
    PART = RecordLevel.PART.value, _("部")
    CHAPTER = RecordLevel.CHAPTER.value, _("章")
    RULE = RecordLevel.RULE.value, _("条")
    SUBRULE = RecordLevel.SUBRULE.value, _("細則")
    HEADING = RecordLevel.HEADING.value, _("見出し")
    ITEM = RecordLevel.ITEM.value, _("項")
