"""How an entry or a card is cited elsewhere: as text, as a short link, as structured data."""

import json
from dataclasses import dataclass
from typing import Any

from django import template
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from rulings.models import Card, Entry, Kind, Revision, Verdict
from rulings.templatetags.display import named, printed, shortened, status_label

register = template.Library()


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation: what it is called in a list, and its text with number, wording, date and short link."""

    title: str
    text: str


@register.simple_tag
def subject_key(subject: Entry | Card) -> str:
    """Which kind of short link leads to `subject`."""
    return "card" if isinstance(subject, Card) else "entry"


@register.simple_tag(takes_context=True)
def short_address(context: RequestContext, subject: Entry | Card) -> str:
    """The short address of an entry or a card, with the host it was asked under."""
    name = "short-card" if isinstance(subject, Card) else "short-entry"
    return context["request"].build_absolute_uri(reverse(name, args=[subject.pk]))


@register.simple_tag(takes_context=True)
def citation(context: RequestContext, subject: Entry | Card) -> Citation:
    """The text that is copied."""
    link = short_address(context, subject)
    if isinstance(subject, Card):
        facts = [
            "／".join(f"{label} {value}" for _key, label, value in face.labelled_facts(subject.game.slug))
            for face in subject.faces.all()
        ]
        return Citation(f"《{subject.name}》", "\n".join([f"《{subject.name}》（{subject.game}）", *facts, link]))
    ruleset = f"{subject.ruleset.game} {subject.ruleset}（{subject.ruleset.get_authority_display()}）"
    number = printed(subject)
    head = " ".join(part for part in (ruleset, number or _kind_of(subject)) if part)
    wording = _shown(context, subject)
    lines = [head]
    if subject.kind == Kind.INTERACTION:
        lines.append(" × ".join(f"《{card.name}》" for card in subject.cards.all()) or subject.group_name)
    if wording:
        lines += [part for part in (wording.title, _answer(wording.verdict) + wording.body) if part]
    lines += [part for part in (_since(subject, wording), link) if part]
    title = " ".join(part for part in (subject.ruleset.name, number, shortened(named(subject), 60)) if part)
    return Citation(title, "\n".join(lines))


def _kind_of(entry: Entry) -> str:
    return "" if entry.kind == Kind.SECTION else entry.get_kind_display()


def _answer(verdict: str) -> str:
    """「はい」 and 「いいえ」 before a ruling that has one."""
    return {Verdict.YES.value: "【はい】", Verdict.NO.value: "【いいえ】"}.get(verdict, "")


def _shown(context: RequestContext, entry: Entry) -> Revision | None:
    """The wording that the page shows: of the day it is read as of."""
    shown = context.get("ruling_wording") or context.get("wording")
    return shown if isinstance(shown, Revision) else entry.ruling.wording


def _since(entry: Entry, wording: Revision | None) -> str:
    """Since when the wording holds, and whether it does on the day shown."""
    since = _("%(day)s施行") % {"day": f"{wording.effective_on:%Y-%m-%d}"} if wording and wording.effective_on else ""
    status = "" if entry.shown_status == "current" else f"※{status_label(entry.shown_status)}"
    return " ".join(part for part in (since, status) if part)


@register.simple_tag(takes_context=True)
def question_data(context: RequestContext, entry: Entry) -> SafeString:
    """Structured data of a question and its answer, for search engines: a QAPage."""
    wording = _shown(context, entry)
    if wording is None or not entry.is_live:
        return SafeString("")
    address = context["request"].build_absolute_uri(entry.get_absolute_url())
    answer: dict[str, Any] = {"@type": "Answer", "text": wording.body, "url": address}
    question: dict[str, Any] = {
        "@type": "Question",
        "name": wording.title,
        "answerCount": 1,
        "acceptedAnswer": answer,
    }
    if wording.effective_on:
        question["datePublished"] = answer["datePublished"] = wording.effective_on.isoformat()
    return _data({"@type": "QAPage", "inLanguage": "ja", "mainEntity": question})


@register.simple_tag
def questions_data(entries: Any) -> SafeString:
    """Structured data of a page of questions: a FAQPage."""
    questions = [
        {
            "@type": "Question",
            "name": entry.wording.title,
            "acceptedAnswer": {"@type": "Answer", "text": entry.wording.body},
        }
        for entry in entries
        if entry.wording and entry.is_live
    ]
    return _data({"@type": "FAQPage", "inLanguage": "ja", "mainEntity": questions}) if questions else SafeString("")


def _data(content: dict[str, Any]) -> SafeString:
    """Draw JSON-LD: data, no script; what could end the element is escaped."""
    written = json.dumps({"@context": "https://schema.org"} | content, ensure_ascii=False)
    safe = written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return mark_safe(f'<script type="application/ld+json">{safe}</script>')  # noqa: S308 - escaped above
