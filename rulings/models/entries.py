"""Entries: what can be found, cited, linked and versioned."""

from datetime import date, timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rulings.models.cards import Card
from rulings.models.entry_queries import EntryQuerySet
from rulings.models.kinds import LIVE, Kind, Level, Status
from rulings.models.pages import page_of
from rulings.models.revisions import Revision


class Entry(models.Model):
    """A thing with a stable id that never depends on its text. Its kinds are the proxies below.

    One table for all kinds: what must be unique or checked can then be held by the database itself.
    """

    kind = models.CharField(_("種類"), max_length=12, choices=Kind, editable=False)
    ruleset = models.ForeignKey("rulings.Ruleset", models.PROTECT, related_name="entries", verbose_name=_("規則集"))
    source = models.ForeignKey(
        "rulings.Source", models.PROTECT, null=True, blank=True, related_name="entries", verbose_name=_("出典")
    )
    lines = models.JSONField(
        _("出典の行"), default=list, blank=True, help_text=_("[[最初の行, 最後の行], …] 1から数える")
    )
    cards = models.ManyToManyField("rulings.Card", blank=True, related_name="entries", verbose_name=_("関係するカード"))
    sort_key = models.CharField(_("並び順キー"), max_length=120, blank=True)

    status = models.CharField(_("状態"), max_length=12, choices=Status, default=Status.CURRENT)
    status_on = models.DateField(_("状態の日付"), null=True, blank=True)
    status_reason = models.TextField(_("状態の理由"), blank=True)
    superseded_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="supersedes", verbose_name=_("後継")
    )

    # Sections
    number = models.CharField(_("番号"), max_length=120, blank=True, help_text=_("条番号またはスラッグ"))
    printed_number = models.CharField(_("印刷された番号"), max_length=200, blank=True)
    level = models.CharField(_("階層"), max_length=10, blank=True, choices=Level)
    # The section a section stands in; for a question the section it stands under.
    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="children", verbose_name=_("親の条項")
    )
    # Questions
    official_id = models.CharField(_("公式ID"), max_length=50, blank=True)
    url = models.URLField(_("公式ページ"), max_length=500, blank=True)
    # Interactions
    cards_key = models.CharField(
        _("カードの組"), max_length=200, blank=True, editable=False, help_text=_("カードIDを小さい順に - で結んだもの")
    )
    group_name = models.CharField(_("カードのまとまり"), max_length=200, blank=True)
    ruled_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="interactions", verbose_name=_("裁定する項目")
    )

    created_at = models.DateTimeField(_("登録日時"), auto_now_add=True)
    updated_at = models.DateTimeField(_("更新日時"), auto_now=True)

    objects = EntryQuerySet.as_manager()

    KIND: ClassVar[Kind | None] = None
    as_of: date | None = None  # the day as of which `with_wording` loaded the entry; None: today

    class Meta:
        verbose_name = verbose_name_plural = _("項目")
        indexes = [
            models.Index(fields=["ruleset", "sort_key"], name="entry_book_order"),
            models.Index(fields=["kind", "status"], name="entry_kind_status"),
            models.Index(fields=["ruleset", "kind", "status", "sort_key"], name="entry_kinds_of_ruleset"),
            models.Index(fields=["cards_key"], name="entry_cards_key"),
        ]
        constraints = [
            # Numbers are reused over the years: unique among the sections that hold, not among the ended ones.
            models.UniqueConstraint(
                fields=["ruleset", "number"],
                condition=Q(kind="section", status__in=["current", "needs_review"]),
                name="section_number_is_unique_in_ruleset",
            ),
            models.UniqueConstraint(
                fields=["ruleset", "official_id"],
                condition=Q(kind="faq") & ~Q(official_id=""),
                name="faq_official_id_is_unique_in_ruleset",
            ),
            models.UniqueConstraint(
                fields=["ruled_by", "cards_key", "group_name"],
                condition=Q(kind="interaction"),
                name="interaction_is_unique_for_its_ruling",
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="entry_kind_is_known"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="entry_status_is_known"),
            models.CheckConstraint(
                condition=Q(kind="section", level__in=Level.values) & ~Q(number="")
                | ~Q(kind="section") & Q(number="", level=""),
                name="sections_have_numbers_and_only_they",
            ),
            models.CheckConstraint(
                condition=~Q(kind="interaction") | Q(cards_key__contains="-") | ~Q(group_name=""),
                name="interaction_has_two_cards_or_a_group",
            ),
            models.CheckConstraint(
                condition=Q(superseded_by__isnull=True) | Q(status="superseded"), name="successor_means_superseded"
            ),
            models.CheckConstraint(
                condition=~Q(status="superseded") | Q(superseded_by__isnull=False), name="superseded_has_successor"
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["withdrawn", "needs_review"]) | ~Q(status_reason=""),
                name="ended_or_doubtful_has_reason",
            ),
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.kind and self.KIND is not None:
            self.kind = self.KIND

    def __str__(self) -> str:
        wording = self.wording
        title = (wording.title or wording.body[:40]) if wording else ""
        return " ".join(part for part in (self.number, title) if part) or f"{self.get_kind_display()} {self.pk}"

    def get_absolute_url(self) -> str:
        if self.kind == Kind.SECTION:
            return reverse("section", args=[self.ruleset.slug, self.shown_number])
        return page_of("faq" if self.kind == Kind.FAQ else "interaction", self.pk)

    # -- wordings -------------------------------------------------------------------------------------------------

    def known_wordings(self, as_of: date | None = None) -> list[Revision]:
        """Revisions begun by `as_of`, oldest first; prefetched ones where `with_wording` was used."""
        on = as_of or timezone.localdate()
        known = getattr(self, f"known_{on:%Y%m%d}", None)
        if known is None:
            known = list(self.revisions.started_by(on).select_related("amendment").order_by("pk"))
        return sorted(known, key=Revision.chronology) if len(known) > 1 else known

    def wording_on(self, as_of: date | None = None) -> Revision | None:
        """The wording in force on `as_of`, or for an ended entry its last one; None when it begins later."""
        texts = [revision for revision in self.known_wordings(as_of) if revision.is_text]
        return texts[-1] if texts else None

    @property
    def wording(self) -> Revision | None:
        """The wording to show, on the day as of which the entry was loaded."""
        return self.wording_on(self.as_of)

    @property
    def shown_number(self) -> str:
        """The number on the day as of which the entry was loaded."""
        wording = self.wording if self.as_of is not None and self.kind == Kind.SECTION else None
        return wording.number if wording and wording.number else self.number

    @property
    def last_day(self) -> date | None:
        """The last day on which the entry had a wording; None while it has one."""
        known = self.known_wordings(self.as_of)
        ended = known[-1].effective_on if known and not known[-1].is_text else None
        return ended - timedelta(days=1) if ended else None

    def announced_wordings(self) -> list[Revision]:
        """What begins after the day as of which the entry was loaded (wordings and deletions), soonest first."""
        on = self.as_of or timezone.localdate()
        coming = self.revisions.filter(effective_on__gt=on).exclude(ended_on=models.F("effective_on"))
        return list(coming.select_related("amendment", "successor__ruleset").order_by("effective_on", "pk"))

    def retracted_wordings(self) -> list[Revision]:
        """What was announced and taken back before its day, the newest first."""
        return list(self.revisions.filter(retracted_on__isnull=False).select_related("amendment").newest_first())

    @property
    def named_cards(self) -> list[Card]:
        """The cards that the entry names; where they are loaded, without the manager that Django makes for asking."""
        loaded = self.__dict__.get("_prefetched_objects_cache", {}).get("cards")
        return list(self.cards.all() if loaded is None else loaded)

    def title_on(self, as_of: date | None = None) -> str:
        """The heading or question; of an interaction the situation, else its ruling's question, else its cards."""
        own = self.wording_on(as_of)
        if own and own.title:
            return own.title
        if self.kind != Kind.INTERACTION:
            return ""
        ruling = self.ruling.wording_on(as_of)
        names = "と".join(f"《{card.name}》" for card in self.cards.all())
        return ruling.title if ruling and ruling.title else self.group_name or names

    def is_in_force_on(self, as_of: date | None = None) -> bool:
        on = as_of or timezone.localdate()
        return any(revision.is_text and revision.holds_on(on) for revision in self.known_wordings(on))

    # -- status ---------------------------------------------------------------------------------------------------

    def status_as_of(self, as_of: date | None = None) -> str:
        """The status on a day: today's is what was decided, that of another day follows from the wordings."""
        if as_of is None or as_of == timezone.localdate():
            return self.status
        known = self.known_wordings(as_of)
        if not known:  # not begun yet; or only ever announced, and taken back by that day
            taken_back = self.status == Status.WITHDRAWN and self.status_on is not None and self.status_on <= as_of
            return Status.WITHDRAWN if taken_back else Status.ANNOUNCED
        if known[-1].is_text and known[-1].holds_on(as_of):
            doubtful = self.status == Status.NEEDS_REVIEW and (self.status_on or date.min) <= as_of
            return Status.NEEDS_REVIEW if doubtful else Status.CURRENT
        if self.status in (Status.SUPERSEDED, Status.WITHDRAWN):
            return self.status
        return Status.SUPERSEDED if known[-1].successor_id else Status.WITHDRAWN

    def successor_as_of(self, as_of: date | None = None) -> "Entry | None":
        """What replaced the entry by a day."""
        if self.status_as_of(as_of) != Status.SUPERSEDED:
            return None
        return self.superseded_by or next((r.successor for r in self.known_wordings(as_of)[::-1] if r.successor), None)

    @property
    def shown_status(self) -> str:
        """The status on the day as of which the entry was loaded."""
        return self.status_as_of(self.as_of)

    @property
    def shown_successor(self) -> "Entry | None":
        return self.successor_as_of(self.as_of)

    @property
    def ruling(self) -> "Entry":
        """The entry whose text rules: the one an interaction points at, else this one."""
        return self.ruled_by or self

    @property
    def is_live(self) -> bool:
        return self.status in LIVE


class KindManager(models.Manager.from_queryset(EntryQuerySet)):  # type: ignore[misc]
    """Sees only the entries of its model's kind."""

    def get_queryset(self) -> EntryQuerySet:
        return super().get_queryset().filter(kind=self.model.KIND)


class RuleSection(Entry):
    """A section of a ruleset, under a number or a slug."""

    KIND: ClassVar[Kind | None] = Kind.SECTION
    objects = KindManager()  # type: ignore[misc]

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("条項")


class FaqEntry(Entry):
    """A question and its answer."""

    KIND: ClassVar[Kind | None] = Kind.FAQ
    objects = KindManager()  # type: ignore[misc]

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("よくある質問")


class CardInteraction(Entry):
    """Two or more cards, or a named group, that act on each other; ruled by another entry or by its own text."""

    KIND: ClassVar[Kind | None] = Kind.INTERACTION
    objects = KindManager()  # type: ignore[misc]

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("カード相互作用")
