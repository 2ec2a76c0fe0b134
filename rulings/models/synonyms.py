"""Players' words and the rules' words: those that ship (`services.synonyms` loads them), and the editors'."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from rulings.importers.words import split_words
from rulings.text.fold import squeeze

SEPARATOR = "、"


class Origin(models.TextChoices):
    SHIPPED = "shipped", _("同梱")
    EDITOR = "editor", _("編集者")


class Synonym(models.Model):
    """What players type, and how the rules say it. Loading what ships leaves alone what an editor wrote or took away.

    An editor's row takes the place of shipped ones of the same word, also of those of single games.
    """

    game = models.ForeignKey(
        "rulings.Game", models.CASCADE, null=True, blank=True, verbose_name=_("ゲーム"),
        help_text=_("空なら、すべてのゲーム。"),
    )  # fmt: skip
    text = models.CharField(
        _("入力される言葉"), max_length=50, help_text=_("末尾に「〜」を付けると、どんな語尾が続いてもよい（剥が〜）。")
    )
    key = models.CharField(_("検索キー"), max_length=100, editable=False)
    words = models.TextField(
        _("ルールの言葉"),
        blank=True,
        max_length=500,
        help_text=_("「、」か改行で区切る。最もよいものから。空なら言い換えない。"),
    )
    origin = models.CharField(_("由来"), max_length=10, choices=Origin, default=Origin.EDITOR, editable=False)
    is_shipped = models.BooleanField(
        _("同梱にあり"), default=False, editable=False, help_text=_("同梱の一覧にも、この言葉がある。")
    )
    updated_at = models.DateTimeField(_("更新日時"), auto_now=True)

    class Meta:
        verbose_name = verbose_name_plural = _("言い換え")
        ordering = ["key"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "key"],
                name="synonym_is_unique",
                violation_error_message=_("この言葉の言い換えは、もうあります。"),
            ),
            models.UniqueConstraint(
                fields=["key"],
                condition=models.Q(game__isnull=True),
                name="synonym_of_all_games_is_unique",
                violation_error_message=_("この言葉の言い換えは、もうあります。"),
            ),
        ]

    def __str__(self) -> str:
        return self.text

    def save(self, *args: object, **kwargs: object) -> None:
        self.key = squeeze(self.text).text
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def clean(self) -> None:
        """The key is what the search compares; a word of marks alone has none."""
        self.key = squeeze(self.text).text
        if not self.key:
            raise ValidationError({"text": _("文字か数字を含む言葉を入れてください。")})

    @property
    def said(self) -> tuple[str, ...]:
        """The rules' words in order."""
        return split_words(self.words)

    def remove(self) -> None:
        """Take the word away so that loading what ships does not bring it back."""
        if not self.is_shipped:
            self.delete()
            return
        self.words, self.origin = "", Origin.EDITOR
        self.save()
