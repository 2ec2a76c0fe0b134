"""Filters that several lists share."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field

from rulings.api.base import MAX_ID
from rulings.api.pagination import add_warning
from rulings.models import Card, Game, Ruleset, Status

STATUS_CHOICES = [*Status.choices, ("all", "すべて")]


@extend_schema_field(OpenApiTypes.INT64)
class IdFilter(filters.NumberFilter):
    """An id: a whole number that a database can hold."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=1, max_value=MAX_ID, **kwargs)

    def get_max_validator(self) -> None:
        return None


@extend_schema_field(OpenApiTypes.DATE)
class DayFilter(filters.DateFilter):
    """A date as YYYY-MM-DD and in no other writing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, input_formats=["%Y-%m-%d"], **kwargs)


class EntryFilter(filters.FilterSet):
    """The filters of lists of entries, by the named querysets that the pages use too."""

    game = filters.CharFilter(method="of_game", max_length=50, help_text="ゲームのスラッグ（dm など）。")
    ruleset = filters.CharFilter(method="of_ruleset", max_length=50, help_text="規則集のスラッグ（dm-cr など）。")
    status = filters.ChoiceFilter(
        choices=STATUS_CHOICES,
        method="later",
        help_text="省略時は効力のあるものだけ（current と needs_review）。all ですべて。",
    )
    as_of = DayFilter(method="later", help_text="この日に効力のあった項目と文面（YYYY-MM-DD、省略時は今日）。")

    def of_game(self, queryset: Any, name: str, value: str) -> Any:
        warn_unless_known(self.request, Game, name, value)
        return queryset.of_game(value)

    def of_ruleset(self, queryset: Any, name: str, value: str) -> Any:
        warn_unless_known(self.request, Ruleset, name, value)
        return queryset.of_ruleset(value)

    def later(self, queryset: Any, name: str, value: Any) -> Any:
        """`status` and `as_of` are read together, when the others are done."""
        return queryset

    def filter_queryset(self, queryset: Any) -> Any:
        found = super().filter_queryset(queryset)
        return found.with_status(self.form.cleaned_data["status"] or None, self.form.cleaned_data["as_of"])


def warn_unless_known(request: Any, model: type[Game | Ruleset], name: str, slug: str) -> None:
    """An unknown slug finds nothing; say why."""
    rows: QuerySet[Any] = model.objects.filter(slug=slug)
    if not rows.exists():
        add_warning(request, f"unknown_{name}", f"{model._meta.verbose_name}「{slug}」はありません。", name)


def warn_of_unknown_names(request: Any, given: Mapping[str, Any]) -> None:
    """The same for views that filter by themselves: the game, the ruleset and the card asked for."""
    for name, model in (("game", Game), ("ruleset", Ruleset)):
        if slug := given.get(name):
            warn_unless_known(request, model, name, slug)
    card = given.get("card")
    if card is not None and not Card.objects.filter(pk=card).exists():
        add_warning(request, "unknown_card", f"カード「{card}」は見つかりません。", "card")
