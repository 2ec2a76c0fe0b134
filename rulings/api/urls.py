"""Addresses of the API."""

from django.urls import URLPattern, path, re_path

from rulings.api import (
    amendments,
    answer,
    cards,
    changes,
    citations,
    diffs,
    docs,
    entries,
    exports,
    faqs,
    interactions,
    rulesets,
    search,
    sections,
    suggest,
)
from rulings.api.addresses import UnknownAddress

urlpatterns: list[URLPattern] = [
    path("search/", search.SearchView.as_view(), name="api-search"),
    path("suggest/", suggest.SuggestView.as_view(), name="api-suggest"),
    path("entries/", entries.EntryList.as_view(), name="api-entries"),
    path("entries/<int:pk>/", entries.EntryDetail.as_view(), name="api-entry"),
    path("rulesets/", rulesets.RulesetList.as_view(), name="api-rulesets"),
    path("rulesets/<str:slug>/", rulesets.RulesetDetail.as_view(), name="api-ruleset"),
    path("rulesets/<str:slug>/diff/", diffs.RulesetDiff.as_view(), name="api-ruleset-diff"),
    path("rulesets/<str:slug>/sections/", sections.SectionList.as_view(), name="api-sections"),
    path("rulesets/<str:slug>/sections/<str:number>/", sections.SectionDetail.as_view(), name="api-section"),
    path(
        "rulesets/<str:slug>/sections/<str:number>/history/",
        sections.SectionHistory.as_view(),
        name="api-section-history",
    ),
    path("faqs/", faqs.FaqList.as_view(), name="api-faqs"),
    path("faqs/<int:pk>/", faqs.FaqDetail.as_view(), name="api-faq"),
    path("interactions/", interactions.InteractionList.as_view(), name="api-interactions"),
    path("interactions/<int:pk>/", interactions.InteractionDetail.as_view(), name="api-interaction"),
    path("cards/", cards.CardList.as_view(), name="api-cards"),
    path("cards/<int:pk>/", cards.CardDetail.as_view(), name="api-card"),
    path("cards/<int:pk>/entries/", cards.CardEntries.as_view(), name="api-card-entries"),
    path("amendments/", amendments.AmendmentList.as_view(), name="api-amendments"),
    path("amendments/<int:pk>/", amendments.AmendmentDetail.as_view(), name="api-amendment"),
    path("answer/", answer.AnswerView.as_view(), name="api-answer"),
    path("citations/verify/", citations.VerifyView.as_view(), name="api-verify"),
    path("exports/", exports.ExportList.as_view(), name="api-exports"),
    path("exports/<str:slug>/", exports.ExportDetail.as_view(), name="api-export"),
    path("changes/", changes.ChangeList.as_view(), name="api-changes"),
    path("schema/", docs.SchemaView.as_view(), name="api-schema"),
    path("docs/", docs.DocsView.as_view(), name="api-docs"),
    re_path(r"^.*\Z", UnknownAddress.as_view(), name="api-unknown"),
]
