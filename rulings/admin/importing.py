"""Import a document in the admin: first a preview, with what the texts do not tell as choices; then, if agreed, it all.

The document travels with the form, so that nothing at all is stored before the editor agrees.
"""

import base64
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from rulings.importers.errors import DecodeError, ParseError
from rulings.importers.records import Form
from rulings.models import ChangeCounter, Ruleset
from rulings.services.faqs import import_faqs
from rulings.services.importing import import_document
from rulings.services.reports import ImportReport
from rulings.services.safeguards import ImportRefusedError
from rulings.services.wording_lists import import_wordings
from rulings.text.links import is_web_address

LARGEST = 1_500_000  # bytes of a document
SHOWN = 300  # changes that a preview lists
RIGHTS = ("rulings.add_source", "rulings.add_amendment", "rulings.add_rulesection", "rulings.add_faqentry")
AUTO, WORDINGS, FAQS, ALL_FAQS = "auto", "wordings", "faqs", "all_faqs"
FORMS = [
    (AUTO, _("構造から見分ける")),
    (Form.NUMBERED.value, _("全文（番号つきの規則）")),
    (Form.AMENDMENT.value, _("改定の告知")),
    (Form.PAGE.value, _("見出しと質問のページ")),
    (Form.OUTLINE.value, _("見出しと箇条書き")),
    (WORDINGS, _("日付のある文面の一覧（CSV・JSON）")),
    (FAQS, _("よくある質問の一覧（CSV・JSON）")),
    (ALL_FAQS, _("よくある質問の全件の一覧（ないものは取り下げ）")),
]


class ImportForm(forms.Form):
    """What to read, and as what."""

    ruleset = forms.ModelChoiceField(label=_("規則集"), queryset=Ruleset.objects.select_related("game"))
    form = forms.ChoiceField(label=_("形式"), choices=FORMS, initial=AUTO)
    file = forms.FileField(label=_("ファイル"), required=False)
    text = forms.CharField(
        label=_("または、文書を貼り付ける"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 12})
    )
    document = forms.CharField(required=False, widget=forms.HiddenInput)
    published = forms.DateField(label=_("公開日"), required=False, help_text=_("空欄なら文書の日付"))
    effective = forms.DateField(label=_("施行日"), required=False, help_text=_("空欄なら公開日"))
    title = forms.CharField(label=_("題名"), required=False, max_length=300, help_text=_("空欄なら文書の題名"))
    url = forms.CharField(label=_("URL"), required=False, max_length=500)
    publisher = forms.CharField(label=_("発行者"), required=False, max_length=200)

    def clean_url(self) -> str:
        url = self.cleaned_data["url"]
        if url and not is_web_address(url):
            raise forms.ValidationError(_("ウェブページのURLではありません（http:// か https:// で始めてください）。"))
        return url

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        given = [cleaned.get("file"), (cleaned.get("text") or "").strip(), cleaned.get("document")]
        if sum(bool(one) for one in given) != 1:
            raise forms.ValidationError(_("ファイルを選ぶか、文書を貼り付けてください（どちらか一方）。"))
        cleaned["data"] = self._data(cleaned)
        if len(cleaned["data"]) > LARGEST:
            raise forms.ValidationError(
                _("文書が大きすぎます（%(limit)d KBまで）。import_document コマンドを使ってください。")
                % {"limit": LARGEST // 1000}
            )
        return cleaned

    def _data(self, cleaned: dict[str, Any]) -> bytes:
        if cleaned.get("file"):
            return cleaned["file"].read()
        if cleaned.get("document"):
            try:
                return base64.b64decode(cleaned["document"], validate=True)
            except ValueError as error:  # no base64, or letters outside of ASCII
                raise forms.ValidationError(_("文書が壊れています。はじめからやり直してください。")) from error
        return cleaned["text"].encode()


@dataclass(slots=True)
class Attempt:
    """One reading of the form: what it asks for, and what came of it."""

    form: ImportForm
    post: Any
    same: dict[str, str] = field(default_factory=dict)

    def run(self, *, dry_run: bool, editor: Any, same: dict[str, str] | None = None) -> ImportReport:
        data = self.form.cleaned_data
        what, consent = data["form"], bool(self.post.get("allow_ending"))
        facts = {name: data[name] for name in ("title", "url", "publisher")}
        facts |= {"dry_run": dry_run, "editor": editor}
        if what == WORDINGS:
            return import_wordings(data["ruleset"], data["data"], **facts)
        if what in (FAQS, ALL_FAQS):
            complete = what == ALL_FAQS
            return import_faqs(data["ruleset"], data["data"], complete=complete, allow_ending=consent, **facts)
        return import_document(
            data["ruleset"],
            data["data"],
            form=None if what == AUTO else Form(what),
            published=data["published"],
            effective=data["effective"],
            allow_ending=consent,
            same=self.same if same is None else same,
            **facts,
        )


def import_view(request: HttpRequest) -> HttpResponse:
    """Ask for a document, show what it would do, and do it."""
    if not request.user.has_perms(RIGHTS):
        raise PermissionDenied
    step = request.POST.get("step", "")
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or step == "back" or not form.is_valid():
        return _page(request, "import.html", form=ImportForm(request.POST) if step == "back" else form)
    attempt = Attempt(form, request.POST, _answers(request.POST))
    try:
        if step == "confirm" and request.POST.get("state") == _state():
            return _done(request, attempt.run(dry_run=False, editor=request.user))
        if step == "confirm":
            messages.warning(request, _("確かめているあいだに、ほかの変更がありました。もう一度確かめてください。"))
        return _preview(request, attempt)
    except ImportRefusedError as error:
        messages.error(request, _("取り込んでいません。%(why)s") % {"why": error})
        return _preview(request, attempt)
    except (DecodeError, ParseError) as error:
        form.add_error(None, str(error))
    except OperationalError as error:
        if "locked" not in str(error):
            raise
        form.add_error(None, _("ほかの処理がデータベースを使っています。少し待ってからやり直してください。"))
    return _page(request, "import.html", form=form)


def _answers(post: Any) -> dict[str, str]:
    """What the editor chose for each doubt: number in the document → number known, "" for a new section."""
    return {name.removeprefix("same:"): value for name, value in post.items() if name.startswith("same:")}


def _state() -> str:
    """What the preview was made of: it holds only while nothing else has changed."""
    state = ChangeCounter.objects.state()
    return f"{state.database} {state.last} {state.touched}"


def _preview(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    state = _state()
    report = attempt.run(dry_run=True, editor=request.user, same={})
    doubts = report.doubtful
    if attempt.same:
        report = attempt.run(dry_run=True, editor=request.user)
    for doubt in doubts:
        doubt["chosen"] = attempt.same.get(str(doubt["number"]), doubt["taken_for"])
    data = attempt.form.cleaned_data
    carried = {name: attempt.post.get(name, "") for name in ("ruleset", "form", "published", "effective")}
    carried |= {name: data[name] for name in ("title", "url", "publisher")}
    return _page(
        request,
        "import_preview.html",
        report=report,
        doubts=doubts,
        carried=carried | {"document": base64.b64encode(data["data"]).decode(), "state": state},
        ruleset=data["ruleset"],
        needs_consent=any(warning["code"] == "would_be_refused" for warning in report.warnings),
        shown=report.happened[:SHOWN],
        unread=[line for line in report.account if line["fate"] == "unread"],
    )


def _done(request: HttpRequest, report: ImportReport) -> HttpResponse:
    messages.success(request, report.summary())
    if report.source is None:
        return redirect("admin:rulings_source_changelist")
    return redirect("admin:rulings_source_change", report.source)


def _page(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    whole = {**admin.site.each_context(request), "title": _("文書を取り込む"), **context}
    return render(request, f"admin/rulings/source/{template}", whole)
