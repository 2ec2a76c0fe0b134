"""The review queue: what is in doubt, and what reviewers decided."""

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rulings.admin.base import NoDeleteMixin, ReadOnlyMixin
from rulings.models import Decision, Doubt, Entry, Kind, Review
from rulings.services.decisions import DecisionError, confirm, correct, offered_wording, offers, supersede, withdraw
from rulings.services.wordings import Wording
from rulings.text.verdicts import verdict_of


class DecisionForm(forms.ModelForm):
    """A decision about one entry, with the wording ready to be corrected."""

    decision = forms.ChoiceField(label=_("判断"), choices=Decision.choices, widget=forms.RadioSelect)
    note = forms.CharField(label=_("理由"), widget=forms.Textarea(attrs={"rows": 2}))
    title = forms.CharField(label=_("見出し・質問"), required=False, widget=forms.Textarea(attrs={"rows": 2}))
    body = forms.CharField(
        label=_("本文・回答"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("「書き直した」を選んだときだけ使います。移った番号は書き込んであります。"),
    )
    successor = forms.ModelChoiceField(
        label=_("差し替え先の項目"),
        queryset=Entry.objects.live(),
        required=False,
        widget=forms.NumberInput,
        help_text=_("項目の ID"),
    )

    class Meta:
        model = Doubt
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = offered_wording(self.instance)
        wording = self.offered or (Wording.of(self.instance.wording) if self.instance.wording else Wording())
        self.fields["title"].initial, self.fields["body"].initial = wording.title, wording.body
        self.base = wording

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("decision") == Decision.SUPERSEDED and not cleaned.get("successor"):
            self.add_error("successor", _("差し替え先の項目を選んでください。"))
        return cleaned

    def decide(self, reviewer: Any) -> Review:
        """Make the decision; raise DecisionError when it cannot be made."""
        data, entry = self.cleaned_data, self.instance
        by = {"note": data["note"], "reviewer": reviewer}
        if data["decision"] == Decision.CONFIRMED:
            return confirm(entry, **by)
        if data["decision"] == Decision.CORRECTED:
            base = self.base
            verdict = verdict_of(data["body"]).value if entry.kind == Kind.FAQ else base.verdict
            wording = Wording(data["title"], data["body"], base.examples, verdict, base.number)
            return correct(entry, wording, on=timezone.localdate(), **by)
        if data["decision"] == Decision.SUPERSEDED:
            return supersede(entry, data["successor"], **by)
        return withdraw(entry, **by)


class NotedActionForm(ActionForm):
    note = forms.CharField(label=_("理由"), required=False)


@admin.register(Doubt)
class DoubtAdmin(NoDeleteMixin, admin.ModelAdmin):
    """What waits for a review; the reason and the numbers that moved stand beside it."""

    form = DecisionForm
    action_form = NotedActionForm
    list_display = ["__str__", "kind", "ruleset", "status_on", "status_reason", "moved"]
    list_filter = ["kind", "ruleset"]
    list_select_related = ["ruleset"]
    search_fields = ["number", "official_id", "revisions__title", "revisions__body"]
    ordering = ["-status_on", "pk"]
    readonly_fields = ["ruleset", "kind", "status_on", "status_reason", "moved"]
    fields = [*readonly_fields, "decision", "note", "title", "body", "successor"]
    actions = ["confirm_all", "withdraw_all"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description=_("移った番号"))
    def moved(self, entry: Entry) -> str:
        return "、".join(f"{offer.text} → {offer.number}" for offer in offers(entry)) or "—"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return cast("Any", super().get_queryset(request)).with_wording()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        try:
            form.decide(request.user)
        except DecisionError as error:
            self.message_user(request, str(error), messages.ERROR)

    @admin.action(description=_("このままでよい（理由を書く）"), permissions=["change"])
    def confirm_all(self, request: HttpRequest, queryset: QuerySet[Entry]) -> None:
        self._decide_all(request, queryset, confirm)

    @admin.action(description=_("取り下げる（理由を書く）"), permissions=["change"])
    def withdraw_all(self, request: HttpRequest, queryset: QuerySet[Entry]) -> None:
        self._decide_all(request, queryset, withdraw)

    def _decide_all(self, request: HttpRequest, queryset: QuerySet[Entry], decide: Any) -> None:
        if not self.has_change_permission(request):
            raise PermissionDenied
        done = 0
        for entry in queryset:
            try:
                decide(entry, note=request.POST.get("note", ""), reviewer=request.user)
                done += 1
            except DecisionError as error:
                self.message_user(request, f"{entry}: {error}", messages.ERROR)
        if done:
            self.message_user(request, gettext("%(count)d件を処理しました。") % {"count": done}, messages.SUCCESS)


@admin.register(Review)
class ReviewAdmin(ReadOnlyMixin, admin.ModelAdmin):
    list_display = ["at", "entry", "decision", "note", "reviewer"]
    list_filter = ["decision", "entry__ruleset"]
    list_select_related = ["entry__ruleset", "reviewer"]
    search_fields = ["note", "doubt", "entry__number"]
    date_hierarchy = "at"
