"""Entries: sections, questions, interactions. An edit writes a new revision, never over an old one."""

from typing import TYPE_CHECKING, Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rulings.admin.base import NoDeleteMixin, ReadOnlyInline
from rulings.models import CardInteraction, Entry, FaqEntry, Revision, RuleSection, Verdict
from rulings.services.editing import edit_entry, holder_of
from rulings.services.interactions import cards_key
from rulings.services.wordings import Wording
from rulings.text.numbers import parse_number
from rulings.text.slugs import is_slug

if TYPE_CHECKING:
    from django.contrib.admin.options import _FieldsetSpec as Fieldsets
    from django.contrib.auth.models import User

    from rulings.models.entry_queries import EntryQuerySet


class EntryForm(forms.ModelForm):
    """An entry together with its wording."""

    title = forms.CharField(label=_("見出し・質問"), required=False, widget=forms.Textarea(attrs={"rows": 2}))
    body = forms.CharField(label=_("本文・回答"), required=False, widget=forms.Textarea(attrs={"rows": 8}))
    examples = forms.JSONField(label=_("例"), required=False, help_text='[{"label": "例", "text": "…"}]')
    verdict = forms.ChoiceField(label=_("裁定"), choices=Verdict.choices, initial=Verdict.NONE)
    effective_on = forms.DateField(label=_("施行日"), initial=timezone.localdate, help_text=_("この文言が効力をもつ日"))
    is_editorial = forms.BooleanField(
        label=_("編集上の変更"), required=False, help_text=_("意味は変わらない（引用している項目を要確認にしない）")
    )
    reason = forms.CharField(label=_("理由"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        wording = self.instance.wording if self.instance.pk else None
        if wording is not None:
            for name in ("title", "body", "examples", "verdict"):
                self.fields[name].initial = getattr(wording, name)

    def clean_examples(self) -> list[dict[str, str]]:
        examples = self.cleaned_data["examples"] or []
        if not isinstance(examples, list) or not all(
            isinstance(example, dict) and set(example) == {"label", "text"} for example in examples
        ):
            raise forms.ValidationError(_("例は label と text をもつ項目の並びで書いてください。"))
        return examples

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("title") and not cleaned.get("body") and not isinstance(self.instance, CardInteraction):
            raise forms.ValidationError(_("見出しか本文のどちらかを書いてください。"))
        return cleaned

    def wording(self) -> Wording:
        """The wording that was typed."""
        data = self.cleaned_data
        return Wording(
            data["title"], data["body"], data["examples"], data["verdict"], getattr(self.instance, "number", "")
        )


class SectionForm(EntryForm):
    def clean_number(self) -> str:
        typed = self.cleaned_data["number"]
        number = parse_number(typed)
        if number is None and not is_slug(typed):
            raise forms.ValidationError(_("番号か、文字・数字・「-」だけのスラッグを書いてください。"))
        return str(number or typed)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        number = parse_number(cleaned.get("number", ""))
        if number is not None and not cleaned.get("sort_key"):
            cleaned["sort_key"] = number.sort_key
        if self.instance.pk and cleaned.get("number") and cleaned.get("effective_on"):
            other = holder_of(self.instance, cleaned["number"], cleaned["effective_on"])
            if other is not None:
                self.add_error("number", _("この番号は、その期間は別の条項のものです。"))
        return cleaned


class InteractionForm(EntryForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if len(cleaned.get("cards") or []) < 2 and not cleaned.get("group_name"):
            raise forms.ValidationError(_("カードを2枚以上選ぶか、カードのまとまりの名前を書いてください。"))
        self.instance.cards_key = cards_key([card.pk for card in cleaned.get("cards") or []])
        return cleaned


REVISION_FIELDS = ("event", "number", "title", "body", "verdict", "effective_on", "ended_on", "editor", "reason")


class RevisionInline(ReadOnlyInline):
    model = Revision
    fk_name = "entry"
    fields = readonly_fields = REVISION_FIELDS


def _fieldsets(*own: str) -> "Fieldsets":
    """The fields of a kind, then what every kind has."""
    return [
        (None, {"fields": own}),
        (_("文言"), {"fields": ("title", "body", "examples", "verdict", "effective_on", "is_editorial", "reason")}),
        (_("状態"), {"fields": ("status", "status_on", "status_reason", "superseded_by")}),
        (_("記録"), {"fields": ("source", "created_at", "updated_at")}),
    ]


class EntryList(NoDeleteMixin, admin.ModelAdmin):
    """Entries as they are looked up."""

    list_display: list[Any] = ["__str__", "ruleset", "status", "updated_at"]
    list_filter: ClassVar[list[Any]] = ["status", "ruleset"]
    list_select_related = ["ruleset"]
    search_fields = ["number", "official_id", "revisions__title", "revisions__body", "cards__name"]
    readonly_fields = ["status", "status_on", "status_reason", "superseded_by", "created_at", "updated_at"]
    inlines = [RevisionInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return cast("EntryQuerySet", super().get_queryset(request)).with_wording()


class EntryAdmin(EntryList):
    """Numbers, texts and statuses follow from revisions; the status is changed by a review, not by hand."""

    form = EntryForm

    @transaction.atomic
    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The cards are saved by now: write the wording, and what follows from it."""
        super().save_related(request, form, formsets, change)
        data = form.cleaned_data
        edit_entry(
            form.instance,
            form.wording(),
            on=data["effective_on"],
            editor=cast("User", request.user),  # the admin lets nobody else in
            reason=data["reason"],
            is_editorial=data["is_editorial"],
        )


@admin.register(Entry)
class AnyEntryAdmin(EntryList):
    """Every kind together, to look things up; adding and editing happen under the kinds."""

    list_display = ["__str__", "kind", "ruleset", "status", "updated_at"]
    list_filter = ["kind", "status", "ruleset"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(RuleSection)
class RuleSectionAdmin(EntryAdmin):
    form = SectionForm
    list_display = ["number", "__str__", "level", "ruleset", "status"]
    list_filter = ["status", "level", "ruleset"]
    ordering = ["ruleset__position", "sort_key"]
    autocomplete_fields = ["ruleset", "parent", "source"]
    fieldsets = _fieldsets("ruleset", "number", "printed_number", "level", "parent", "sort_key")


@admin.register(FaqEntry)
class FaqEntryAdmin(EntryAdmin):
    list_display = ["__str__", "official_id", "ruleset", "status", "updated_at"]
    autocomplete_fields = ["ruleset", "parent", "source"]
    fieldsets = _fieldsets("ruleset", "official_id", "url", "parent")


@admin.register(CardInteraction)
class CardInteractionAdmin(EntryAdmin):
    form = InteractionForm
    autocomplete_fields = ["ruleset", "cards", "ruled_by", "source"]
    fieldsets = _fieldsets("ruleset", "cards", "group_name", "ruled_by")
