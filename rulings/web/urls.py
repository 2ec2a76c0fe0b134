"""Addresses of the pages. Rulesets come last: their slugs stand where the other words stand."""

from django.urls import URLPattern, path, register_converter

from rulings.web import amendments, cards, faqs, home, interactions, rulesets, search, sections
from rulings.web.converters import IdConverter, RulesetConverter

register_converter(IdConverter, "id")
register_converter(RulesetConverter, "ruleset")

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("search/", search.search_page, name="search"),
    path("cards/", cards.card_list, name="cards"),
    path("cards/<id:pk>/", cards.card, name="card"),
    path("faq/<id:pk>/", faqs.faq, name="faq"),
    path("interactions/", interactions.interaction_list, name="interactions"),
    path("interactions/<id:pk>/", interactions.interaction, name="interaction"),
    path("amendments/", amendments.amendment_list, name="amendments"),
    path("amendments/<id:pk>/", amendments.amendment, name="amendment"),
    path("<ruleset:slug>/", rulesets.ruleset, name="ruleset"),
    path("<ruleset:slug>/faq/", faqs.faq_list, name="ruleset-faqs"),
    path("<ruleset:slug>/diff/", rulesets.diff, name="ruleset-diff"),
    path("<ruleset:slug>/<str:number>/", sections.section, name="section"),
    path("<ruleset:slug>/<str:number>/history/", sections.history, name="section-history"),
]
