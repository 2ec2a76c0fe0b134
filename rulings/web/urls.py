"""Addresses of the pages. Rulesets come last: their slugs stand where the other words stand."""

from django.contrib.sitemaps import views as sitemaps
from django.urls import URLPattern, path, register_converter

from rulings.web import (
    amendments,
    cards,
    changes,
    device,
    discovery,
    faqs,
    feedback,
    feeds,
    home,
    interactions,
    links,
    offline,
    preview,
    rulesets,
    search,
    sections,
)
from rulings.web.atom import feed
from rulings.web.converters import IdConverter, RulesetConverter

register_converter(IdConverter, "id")
register_converter(RulesetConverter, "ruleset")

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("search/", search.search_page, name="search"),
    path("suggest/", search.suggestions, name="suggest"),
    path("preview/", preview.preview, name="preview"),
    path("memo/", device.memo, name="memo"),
    path("settings/", device.display_settings, name="settings"),
    path("language/", device.language, name="language"),
    path("offline/", offline.offline, name="offline"),
    path("offline/<ruleset:slug>.json", offline.names, name="offline-names"),
    path("manifest.webmanifest", device.manifest, name="manifest"),
    path("sw.js", device.worker, name="worker"),
    path("robots.txt", discovery.robots, name="robots"),
    path("opensearch.xml", discovery.opensearch, name="opensearch"),
    path("sitemap.xml", sitemaps.index, discovery.SITEMAP_INDEX, name="sitemap"),
    path("sitemap-<section>.xml", sitemaps.sitemap, {"sitemaps": discovery.SITEMAPS}, name="sitemap-part"),
    path("feeds/amendments.atom", feed(discovery.AmendmentFeed()), name="feed-amendments"),
    path("feeds/rulings.atom", feed(discovery.RulingFeed()), name="feed-rulings"),
    path("feeds/rulesets/<slug:slug>.atom", feed(changes.RulesetChanges()), name="feed-ruleset"),
    path("feeds/cards/<id:pk>.atom", feed(changes.CardChanges()), name="feed-card"),
    path("feeds/search.atom", feed(changes.SearchChanges()), name="feed-search"),
    path("feedback/<id:pk>/", feedback.feedback, name="feedback"),
    path("feedback/<id:pk>/thanks/", feedback.thanks, name="feedback-thanks"),
    path("e/<id:pk>/", links.short, {"kind": "entry"}, name="short-entry"),
    path("e/<id:pk>/qr.svg", links.qr, {"kind": "entry"}, name="entry-qr"),
    path("c/<id:pk>/", links.short, {"kind": "card"}, name="short-card"),
    path("c/<id:pk>/qr.svg", links.qr, {"kind": "card"}, name="card-qr"),
    path("cards/", cards.card_list, name="cards"),
    path("cards/<id:pk>/", cards.card, name="card"),
    path("faq/<id:pk>/", faqs.faq, name="faq"),
    path("interactions/", interactions.interaction_list, name="interactions"),
    path("interactions/<id:pk>/", interactions.interaction, name="interaction"),
    path("amendments/", amendments.amendment_list, name="amendments"),
    path("amendments/<id:pk>/", amendments.amendment, name="amendment"),
    path("<ruleset:slug>/", rulesets.ruleset, name="ruleset"),
    path("<ruleset:slug>/faq/", faqs.faq_list, name="ruleset-faqs"),
    path("<ruleset:slug>/amendments/", amendments.ruleset_amendments, name="ruleset-amendments"),
    path("<ruleset:slug>/amendments/feed/", feed(feeds.RulesetFeed()), name="ruleset-amendments-feed"),
    path("<ruleset:slug>/diff/", rulesets.diff, name="ruleset-diff"),
    path("<ruleset:slug>/<str:number>/", sections.section, name="section"),
    path("<ruleset:slug>/<str:number>/history/", sections.history, name="section-history"),
]
