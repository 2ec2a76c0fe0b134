"""Keys of the API: issued here, shown once, revoked here."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rulings.admin.base import NoDeleteMixin
from rulings.models import ApiKey


@admin.register(ApiKey)
class ApiKeyAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["name", "hint", "factor", "created_at", "revoked_at"]
    readonly_fields = ["hint", "created_at", "revoked_at"]
    fields = ["name", "factor", "hint", "created_at", "revoked_at"]
    actions = ["revoke"]

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        if change:
            super().save_model(request, obj, form, change)
            return
        made, secret = ApiKey.objects.issue(obj.name, obj.factor)
        obj.pk, obj.hint, obj.digest, obj.created_at = made.pk, made.hint, made.digest, made.created_at
        messages.warning(request, _("キーはいま一度だけ表示します：%s") % secret)

    @admin.action(description=gettext_lazy("選んだキーを取り消す"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        count = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        messages.success(request, _("%d 件を取り消しました。") % count)
