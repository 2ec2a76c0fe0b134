"""Look the whole content over: what is merely unknown (for an editor), and what is broken (for a developer)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q
from django.utils import timezone

from rulings.models import LIVE, Change, CrossReference, Entry, Event, Kind, Revision, Source
from rulings.search.indexing import is_behind, is_unusable
from rulings.services.wordings import begin_of, end_of
from rulings.text.citations import CitationKind


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; `code` is stable, `message` Japanese."""

    code: str
    is_broken: bool
    message: str


def check_content() -> list[Finding]:
    """Everything found, the broken first."""
    found = [finding for check in _CHECKS for finding in check()]
    return sorted(found, key=lambda finding: not finding.is_broken)


def _name(entry: Entry) -> str:
    return f"{entry.ruleset.slug} {entry.number or entry.official_id or entry.get_kind_display()}（項目{entry.pk}）"


# -- merely unknown -------------------------------------------------------------------------------------------------


def _unresolved() -> Iterator[Finding]:
    references = CrossReference.objects.unresolved().filter(revision__entry__status__in=LIVE, revision__ended_on=None)
    for reference in references.select_related("revision__entry__ruleset", "ruleset"):
        place = _name(reference.revision.entry)
        if reference.kind == CitationKind.CARD:
            yield Finding("unknown_card", False, f"知らないカード: {reference.text} … {place}")
        else:
            target = reference.ruleset.slug if reference.ruleset else "不明な規則集"
            yield Finding("unresolved", False, f"未解決の参照: {reference.text}（{target}）… {place}")


def _without_source() -> Iterator[Finding]:
    for entry in Entry.objects.live().filter(source=None).select_related("ruleset"):
        yield Finding("no_source", False, f"出典のない項目: {_name(entry)}")


def _unread_lines() -> Iterator[Finding]:
    for source in Source.objects.defer("text"):
        unread = [str(line["line"]) for line in source.account if line["fate"] == "unread"]
        if unread:
            yield Finding("unread", False, f"読み取れなかった行: 「{source.title}」の{'、'.join(unread)}行目")


def _index() -> Iterator[Finding]:
    if is_unusable():
        yield Finding("index_unusable", False, "検索索引が使えません。作り直すまで、簡易検索で答えます。")
    elif is_behind():
        yield Finding("index_behind", False, "検索索引がデータに追いついていません。rebuild_index で作り直せます。")


# -- broken -----------------------------------------------------------------------------------------------------


def _wrong_targets() -> Iterator[Finding]:
    wrong = CrossReference.objects.filter(entry__isnull=False).exclude(entry__ruleset=F("ruleset"))
    for reference in wrong.select_related("revision__entry__ruleset"):
        message = f"参照が別の規則集を指しています: {reference.text} … {_name(reference.revision.entry)}"
        yield Finding("wrong_ruleset", True, message)
    wrong = CrossReference.objects.filter(card__isnull=False).exclude(card__game=F("revision__entry__ruleset__game"))
    for reference in wrong.select_related("revision__entry__ruleset"):
        message = f"参照が別のゲームのカードを指しています: {reference.text} … {_name(reference.revision.entry)}"
        yield Finding("wrong_game", True, message)


def _wordings() -> Iterator[Finding]:
    text = Revision.objects.filter(entry=OuterRef("pk")).exclude(event=Event.DELETED)
    holding = Revision.objects.in_force(timezone.localdate()).filter(entry=OuterRef("pk"))
    live = Entry.objects.live().select_related("ruleset")
    own = ~Q(kind=Kind.INTERACTION) | Exists(text)
    for entry in live.filter(own).exclude(Exists(holding)):
        yield Finding("no_wording", True, f"有効なのに文面がない項目: {_name(entry)}")
    for entry in (
        Entry.objects.exclude(status__in=LIVE).filter(Exists(holding.filter(ended_on=None))).select_related("ruleset")
    ):
        yield Finding("ended_with_wording", True, f"終了したのに効力のある文面が残る項目: {_name(entry)}")


def _overlaps() -> Iterator[Finding]:
    last: Revision | None = None
    ranges = Revision.objects.only("entry_id", "effective_on", "ended_on").order_by(
        "entry_id", F("effective_on").asc(nulls_first=True), "pk"
    )
    for revision in ranges.iterator():
        if begin_of(revision) >= end_of(revision):
            continue
        if last is not None and last.entry_id == revision.entry_id and begin_of(revision) < end_of(last):
            yield Finding("overlap", True, f"改訂の期間が重なっています: 項目{revision.entry_id}")
        last = revision


def _change_gaps() -> Iterator[Finding]:
    numbers = Change.objects.aggregate(first=Min("number"), last=Max("number"), count=Count("number"))
    if numbers["count"] and (numbers["first"], numbers["last"]) != (1, numbers["count"]):
        yield Finding("change_gap", True, "変更記録の番号に抜けがあります。")
    unrecorded = Entry.objects.exclude(Exists(Change.objects.filter(entry=OuterRef("pk")))).count()
    if unrecorded:
        yield Finding("unrecorded", True, f"変更記録のない項目が{unrecorded}件あります。")


def _accounts() -> Iterator[Finding]:
    for source in Source.objects.exclude(form=""):
        written = {number for number, line in enumerate(source.text.split("\n"), 1) if line.strip()}
        missing = written - {line["line"] for line in source.account}
        if missing:
            first = sorted(missing)[0]
            message = f"行き先の分からない行が{len(missing)}行あります: 「{source.title}」の{first}行目など"
            yield Finding("unaccounted", True, message)


def _interactions() -> Iterator[Finding]:
    ended = Entry.objects.live().filter(kind=Kind.INTERACTION, ruled_by__isnull=False)
    for entry in ended.exclude(ruled_by__status__in=LIVE).select_related("ruleset"):
        yield Finding("ended_ruling", True, f"元の裁定が終了したカード相互作用: {_name(entry)}")
    for entry in Entry.objects.live().filter(kind=Kind.INTERACTION, group_name="").prefetch_related("cards"):
        if entry.cards_key != "-".join(str(pk) for pk in sorted(card.pk for card in entry.cards.all())):
            yield Finding("wrong_cards", True, f"カードの組が合わないカード相互作用: 項目{entry.pk}")


_CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    _wrong_targets,
    _wordings,
    _overlaps,
    _change_gaps,
    _accounts,
    _interactions,
    _unresolved,
    _without_source,
    _unread_lines,
    _index,
)
