"""「この裁定は古い／誤り」: a report about an entry, without an account and without personal data."""

import hashlib
import secrets
from datetime import timedelta

from django import forms
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulings.models import Entry, Feedback, FeedbackKind
from rulings.web.errors import error_page, not_found_page
from rulings.web.speaking import speak

PER_READER = 5  # reports an hour from one address
PER_ENTRY = 20  # reports an hour about one entry, whoever sends them
HOUR = 3600
# Addresses are counted under a key that dies with this process; no address is kept or can be worked out later.
_SALT = secrets.token_bytes(16)


class FeedbackForm(forms.ModelForm):
    """A report."""

    # A field that people do not see; programs fill it in.
    website = forms.CharField(required=False)

    class Meta:
        model = Feedback
        fields = ["kind", "text", "source"]
        widgets = {
            "kind": forms.RadioSelect,
            "text": forms.Textarea(attrs={"rows": 4, "maxlength": 1000}),
            "source": forms.TextInput(attrs={"maxlength": 500}),
        }
        labels = {
            "kind": gettext_lazy("どんな問題ですか"),
            "text": gettext_lazy("どこが、どう違いますか"),
            "source": gettext_lazy("根拠（公式ページのアドレスや文書名）"),
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["kind"].choices = FeedbackKind.choices  # type: ignore[attr-defined]
        self.initial.setdefault("kind", FeedbackKind.OUTDATED)


def too_many(request: HttpRequest, entry: Entry) -> bool:
    """Count this report; whether it is one too many."""
    address = str(request.META.get("REMOTE_ADDR", "")).encode()
    reader = "feedback-" + hashlib.blake2b(address, key=_SALT, digest_size=12).hexdigest()
    cache.add(reader, 0, HOUR)
    since = timezone.now() - timedelta(seconds=HOUR)
    return cache.incr(reader) > PER_READER or entry.feedback.filter(at__gte=since).count() >= PER_ENTRY


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def feedback(request: HttpRequest, pk: int) -> HttpResponse:
    """The form, and what becomes of it."""
    entry = Entry.objects.filter(pk=pk).for_display().first()
    if entry is None:
        return not_found_page(request, _("その番号の項目はありません。"))
    form = FeedbackForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["website"]:
            return redirect("feedback-thanks", pk)
        if too_many(request, entry):
            message = _("短い間にたくさんの報告が届いています。1時間ほど待ってから、もう一度お送りください。")
            response = error_page(request, 429, _("少し待ってください"), message)
            response.headers["Retry-After"] = str(HOUR)
            return response
        form.instance.entry, form.instance.revision = entry, entry.ruling.wording
        form.save()
        return redirect("feedback-thanks", pk)
    status = 400 if request.method == "POST" else 200
    context = {"entry": entry, "ruleset": entry.ruleset, "form": form}
    return speak(render(request, "feedback.html", context, status=status))


@never_cache
@require_http_methods(["GET", "HEAD"])
def thanks(request: HttpRequest, pk: int) -> HttpResponse:
    """The report has arrived."""
    entry = Entry.objects.filter(pk=pk).for_display().first()
    if entry is None:
        return not_found_page(request, _("その番号の項目はありません。"))
    return speak(render(request, "feedback.html", {"entry": entry, "ruleset": entry.ruleset, "sent": True}))
