"""Interactions of cards: two or more cards in, what rules them together out."""

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from rulings.models import Card, CardInteraction, Entry, Kind
from rulings.search import Suggestion, suggest
from rulings.text.fold import fold_key
from rulings.web.dating import as_of, not_known_before
from rulings.web.entries import entry_context, status_of, unknown_entry_on
from rulings.web.page import BadParameterError, MissingError, id_of, page, paginated, text_of, texts_of

INTERACTIONS_PAGE = 30
MOST_CARDS = 6
BROUGHT = 8  # rulings of each card beside those of the combination
INPUTS = 3  # text fields of the form at least


@page
def interaction_list(request: HttpRequest) -> HttpResponse:
    """Choose cards; with two or more, what names them together; without, the latest interactions."""
    ids = sorted({id_of(value.strip(), _("カード")) for value in text_of(request, "cards").split(",") if value.strip()})
    names = texts_of(request, "card")
    if len(ids) + len(names) > MOST_CARDS:
        raise BadParameterError(_("カードは%(count)d枚までにしてください。") % {"count": MOST_CARDS})
    chosen = list(Card.objects.in_ids(ids).select_related("game").with_faces().order_by("pk"))
    if len(chosen) < len(ids):
        raise MissingError(_("選ばれたカードの中に、登録されていないものがあります。"))
    unclear = []
    for name in names:
        found = list(Card.objects.named(fold_key(name)).select_related("game")[:12])
        if len(found) == 1:
            chosen.append(found[0])
        else:
            unclear.append({"name": name, "cards": found, "near": [] if found else suggested_cards(name)})
    canonical = ",".join(str(pk) for pk in sorted({card.pk for card in chosen}))
    if canonical and not unclear and request.GET.get("cards", "") != canonical:
        return redirect(f"{reverse('interactions')}?cards={canonical}")
    context = {"chosen": chosen, "unclear": unclear, "blanks": range(max(1, INPUTS - len(chosen) - len(unclear)))}
    return render(request, "interactions.html", context | rulings_for(request, chosen))


def suggested_cards(name: str) -> list[Suggestion]:
    """Cards whose names come near."""
    return [suggestion for suggestion in suggest(name, limit=12) if suggestion.kind == "card"][:6]


def rulings_for(request: HttpRequest, chosen: list[Card]) -> dict[str, object]:
    """What rules the chosen cards together; what is known at all when fewer than two are chosen."""
    on = as_of(request)
    if len(chosen) < 2:
        latest = CardInteraction.objects.with_status(None, on).order_by("-pk").for_display(on)
        return {"page_obj": paginated(request, latest, INTERACTIONS_PAGE)}
    together = Entry.objects.with_status(None, on).naming_cards([card.pk for card in chosen]).in_book_order()
    found = list(together.for_display(on).with_references(on)[:INTERACTIONS_PAGE])
    ruled = {entry.ruled_by_id for entry in found if entry.kind == Kind.INTERACTION}
    return {
        "interactions": [entry for entry in found if entry.kind == Kind.INTERACTION],
        "others": [entry for entry in found if entry.kind != Kind.INTERACTION and entry.pk not in ruled],
        "brings": [brought_by(card, [entry.pk for entry in found], on) for card in chosen],
        "in_common": rules_in_common(chosen, on),
    }


def brought_by(card: Card, together: list[int], on: date | None) -> dict[str, object]:
    """What a card brings into a combination: rulings of its own, which say nothing about the others."""
    own = Entry.objects.with_status(None, on).naming_cards([card.pk]).exclude(pk__in=together)
    own = own.exclude(kind=Kind.INTERACTION, ruled_by__isnull=False).in_book_order()
    return {"card": card, "count": own.count(), "entries": own.for_display(on)[:BROUGHT]}


def rules_in_common(chosen: list[Card], on: date | None) -> list[Entry]:
    """The rules that rulings of every chosen card rest on."""
    rules = Entry.objects.all()
    for card in chosen:
        rules = rules.filter(pk__in=Entry.objects.relied_on(card.pk, on).values("pk"))
    return list(rules.in_book_order().for_display(on)[:BROUGHT])


@page
def interaction(request: HttpRequest, pk: int) -> HttpResponse:
    """The cards and the ruling; its text stands with the entry that rules it."""
    on = as_of(request)
    entries = Entry.objects.filter(kind=Kind.INTERACTION).for_display(on).with_references(on)
    entry = entries.filter(pk=pk).first()
    if entry is None:
        raise MissingError(_("その番号のカード相互作用はありません。"))
    if since := unknown_entry_on(entry):
        return not_known_before(request, since, _("この裁定"))
    ruling = entry
    if entry.ruled_by_id:
        ruling = Entry.objects.filter(pk=entry.ruled_by_id).for_display(on).with_references(on).get()
    context = entry_context(entry) | {"ruling": ruling, "ruling_wording": ruling.wording}
    cards = entry.cards.select_related("game").with_faces()
    return render(request, "interaction.html", context | {"cards": cards}, status=status_of(ruling))
