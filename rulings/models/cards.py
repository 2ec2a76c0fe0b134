"""Cards, their faces and their other names."""

from collections.abc import Iterable

from django.db import models
from django.utils.translation import gettext_lazy as _

from rulings.games import profile_of
from rulings.models.pages import page_of
from rulings.models.prepared import Prepared, put_prefetched


class CardQuerySet(models.QuerySet["Card"]):
    def with_faces(self) -> "CardQuerySet":
        return self.prefetch_related("faces")

    def named(self, key: str) -> "CardQuerySet":
        """Cards that `key` (a `fold_key`) names whole: the card's own name first, else a face, else an alias."""
        for condition in (
            models.Q(key=key),
            models.Q(faces__key=key),
            models.Q(aliases__key=key),
        ):
            found = self.filter(condition).distinct()
            if found.exists():
                return found
        return self.none()

    def matching(self, key: str) -> "CardQuerySet":
        """Cards with `key` (a `fold_key`) in a name, reading or alias: whole names, then beginnings, then the rest."""
        if not key:
            return self.none()
        face = CardFace.objects.filter(card=models.OuterRef("pk"), key__contains=key)
        alias = CardAlias.objects.filter(card=models.OuterRef("pk"), key__contains=key)
        rank = models.Case(models.When(key=key, then=0), models.When(key__startswith=key, then=1), default=2)
        found = models.Q(key__contains=key) | models.Q(reading_key__contains=key)
        return self.filter(found | models.Exists(face) | models.Exists(alias)).order_by(rank, "name", "pk")

    @staticmethod
    def loaded(ids: Iterable[int]) -> "dict[int, Card]":
        """Cards with their game and their faces, by id; with SQL that is built once (see `Prepared`)."""
        cards = {card.pk: card for card in _cards(ids)}
        faces: dict[int, list[CardFace]] = {pk: [] for pk in cards}
        for face in _faces(cards):
            face.card = cards[face.card_id]
            faces[face.card_id].append(face)
        for pk, card in cards.items():
            put_prefetched(card, "faces", CardFace.objects.none(), faces[pk])
        return cards

    @staticmethod
    def names(ids: Iterable[int]) -> dict[int, str]:
        """The names of cards, by id."""
        return dict(_names(ids))

    def in_ids(self, ids: Iterable[int]) -> "CardQuerySet":
        return self.filter(pk__in=list(ids))


class Card(models.Model):
    """A card. Twin cards have several faces; two cards may share the name of a face and stay two cards."""

    game = models.ForeignKey("rulings.Game", models.PROTECT, related_name="cards", verbose_name=_("ゲーム"))
    name = models.CharField(_("カード名"), max_length=200)
    key = models.CharField(_("検索キー"), max_length=200, db_index=True, editable=False)
    reading = models.CharField(_("読み"), max_length=200, blank=True)
    reading_key = models.CharField(_("読みのキー"), max_length=200, blank=True, db_index=True, editable=False)
    official_id = models.CharField(_("公式ID"), max_length=50, blank=True)
    layout = models.CharField(_("レイアウト"), max_length=20, blank=True)
    source = models.ForeignKey(
        "rulings.Source", models.PROTECT, null=True, blank=True, related_name="cards", verbose_name=_("出典")
    )

    objects = CardQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("カード")
        ordering = ["game__slug", "name"]
        constraints = [models.UniqueConstraint(fields=["game", "name"], name="card_name_is_unique_in_game")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return page_of("card", self.pk)


class CardFace(models.Model):
    """One side of a card, with its facts under the keys of the game's profile."""

    card = models.ForeignKey(Card, models.CASCADE, related_name="faces", verbose_name=_("カード"))
    position = models.PositiveSmallIntegerField(_("面"), default=0)
    name = models.CharField(_("名前"), max_length=200)
    key = models.CharField(_("検索キー"), max_length=200, db_index=True, editable=False)
    facts = models.JSONField(_("特性"), default=dict, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = _("カードの面")
        ordering = ["card", "position"]
        constraints = [models.UniqueConstraint(fields=["card", "position"], name="card_face_position_is_unique")]

    def __str__(self) -> str:
        return self.name

    def labelled_facts(self, game: str) -> list[tuple[str, str, str]]:
        """Key, label and shown value of each known fact, in the order of the game's profile."""
        values = [(key, label, self.facts.get(key)) for key, label in profile_of(game).card_facts.items()]
        return [
            (key, label, "／".join(map(str, value)) if isinstance(value, list) else str(value))
            for key, label, value in values
            if value not in (None, "", [])
        ]


_cards = Prepared(lambda ids: Card.objects.select_related("game").filter(pk__in=ids).order_by())
_faces = Prepared(lambda ids: CardFace.objects.filter(card__in=ids).order_by("position"))
_names = Prepared(lambda ids: Card.objects.filter(pk__in=ids).order_by().values_list("pk", "name"))


class CardAlias(models.Model):
    """A nickname, a former name, or another writing of a card's name."""

    card = models.ForeignKey(Card, models.CASCADE, related_name="aliases", verbose_name=_("カード"))
    text = models.CharField(_("別名"), max_length=200)
    key = models.CharField(_("検索キー"), max_length=200, db_index=True, editable=False)

    class Meta:
        verbose_name = verbose_name_plural = _("カードの別名")
        ordering = ["card", "text"]
        constraints = [models.UniqueConstraint(fields=["card", "key"], name="card_alias_is_unique")]

    def __str__(self) -> str:
        return self.text
