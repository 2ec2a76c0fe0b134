"""What can be asked of a search beside its words: facets, explanations, another reading, near names."""

import random
from collections import Counter
from datetime import date

import pytest
from django.utils import timezone

from rulings.models import Entry, Revision
from rulings.search import SearchPage, SearchRequest, search
from tests.makers import make_card, make_faq, make_ruleset, make_section


def ask(q: str, **options: object) -> SearchPage:
    return search(SearchRequest(q=q, **options))  # type: ignore[arg-type]


def brute_force(page: SearchPage) -> dict[str, Counter[str]]:
    """Count the facets of all hits of a page one by one."""
    counts: dict[str, Counter[str]] = {
        name: Counter() for name in ("kind", "ruleset", "authority", "status", "card", "year")
    }
    for hit in page.hits:
        counts["kind"][hit.kind] += 1
        if hit.entry is None:
            continue
        counts["ruleset"][hit.entry.ruleset.slug] += 1
        counts["authority"][hit.entry.ruleset.authority] += 1
        counts["status"][hit.entry.status] += 1
        counts["card"].update(str(card.pk) for card in hit.entry.cards.all())
        wording = hit.entry.wording_on(timezone.localdate())
        if wording and wording.effective_on:
            counts["year"][str(wording.effective_on.year)] += 1
    return counts


@pytest.mark.django_db
class TestFacets:
    @pytest.mark.parametrize("seed", range(4))
    def test_the_counts_are_those_of_a_brute_force_count(self, seed: int) -> None:
        chance = random.Random(seed)
        rulesets = [make_ruleset("dm-cr"), make_ruleset("dm-tag", name="タッグデュエル", authority="house", position=3)]
        cards = [make_card(name) for name in ("デーモン・ハンド", "ホーリー・スパーク")]
        words = ["侵略", "召喚", "手札", "山札"]
        for number in range(40):
            text = "と".join(chance.sample(words, 2))
            day = date(chance.choice([2020, 2023, 2025]), 4, 1)
            fields = {
                "status_reason": "試験",
                "ruleset": chance.choice(rulesets),
                "cards": chance.sample(cards, chance.randint(0, 2)),
            }
            status = chance.choice(["current", "needs_review", "withdrawn"])
            if chance.random() < 0.5:
                make_section(f"101.{number}", body=text, effective_on=day, status=status, **fields)
            else:
                make_faq(f"{text}？", "はい。", effective_on=day, status=status, **fields)
        for q in ("侵略", "召喚 手札", "侵略 OR 山札", "デーモン・ハンド", "規則集:dm-tag"):
            page = ask(q, facets=True, page_size=100)
            assert page.count == len(page.hits)
            assert {name: Counter(found) for name, found in page.facets.items()} == brute_force(page), q

    def test_the_engine_counts_the_same(self) -> None:
        make_section("101.1", body="侵略", status="needs_review", status_reason="試験")
        make_faq(
            "侵略？", "はい。", ruleset=make_ruleset("dm-tag", name="タッグデュエル", authority="house", position=3)
        )
        quick, counted = ask("侵略").facets, ask("侵略", facets=True).facets
        for name in ("kind", "ruleset", "authority", "status", "year"):
            assert quick[name] == counted[name]

    @pytest.mark.parametrize("seed", range(3))
    def test_years_are_counted_and_narrowed_to_as_by_hand(self, seed: int) -> None:
        chance = random.Random(seed)
        for number in range(30):
            days = sorted(chance.sample([date(year, 4, 1) for year in range(2019, 2026)], 2))
            rule = make_section(f"101.{number}", body="侵略", effective_on=days[0], ended_on=days[1])
            Revision.objects.create(entry=rule, number=rule.number, body="侵略と手札", effective_on=days[1])
        make_faq("侵略？", "はい。", effective_on=None)
        for q, as_of in (("侵略", None), ("侵略", date(2022, 5, 1)), ("手札", None), ("101.3", None)):
            whole = ask(q, as_of=as_of, page_size=100)
            years = Counter(
                str(wording.effective_on.year)
                for hit in whole.hits
                if hit.entry and (wording := hit.entry.wording_on(as_of)) and wording.effective_on
            )
            if q != "101.3":
                assert Counter(whole.facets["year"]) == years, (q, as_of)
            for year, number in years.items():
                page = ask(q, as_of=as_of, year=int(year), page_size=100)
                assert page.count == number, (q, as_of, year)
                if q != "101.3":
                    assert Counter(page.facets["year"]) == years, "its own dimension stays free"
            assert ask(q, as_of=as_of, year=1999).count == 0


@pytest.mark.django_db
class TestExplanations:
    def test_the_parts_make_the_score(self) -> None:
        make_section("101.1", title="侵略", body="侵略とは、侵略のことです。")
        make_section("101.2", body="手札から侵略を使う。")
        page = ask("侵略とは", explain=True)
        assert len(page.hits) == 2
        for hit in page.hits:
            parts = {name: value for name, value in hit.explanation.items() if not name.startswith("near:")}
            engine, factor, _coverage = parts.pop("engine"), parts.pop("factor"), parts.pop("coverage")
            assert hit.score == pytest.approx(engine * (1 + sum(parts.values())) * factor, abs=0.05)
        assert page.hits[0].explanation["concepts"] > page.hits[1].explanation["concepts"]

    def test_only_when_asked(self) -> None:
        make_section("101.1", body="侵略")
        assert ask("侵略").hits[0].explanation == {}


@pytest.mark.django_db
class TestReadOtherwise:
    def test_a_name_as_words(self) -> None:
        make_card("革命")
        rule = make_section("101.1", body="革命チェンジの話。")
        assert ask("革命").reading.kind == "card"
        page = ask("革命", read="words")
        assert (page.reading.kind, [hit.entry.pk for hit in page.hits if hit.entry]) == ("words", [rule.pk])
        assert not [hit for hit in page.hits if hit.card]

    def test_a_word_of_the_rules_as_a_card(self) -> None:
        card = make_card("革命の鉄拳")
        make_section("101.1", body="革命の話。")
        assert ask("革命").reading.kind == "words"
        page = ask("革命", read="card")
        assert page.reading.cards == [card.pk]

    def test_a_number_as_words(self) -> None:
        make_section("101.1", body="一の話。")
        assert ask("101.1").reading.kind == "number"
        assert ask("101.1", read="words").reading.kind == "words"

    def test_a_number_among_words_as_a_number(self) -> None:
        rule = make_section("700", level="chapter", title="総則")
        assert ask("パワー700以上", read="number").hits[0].entry == Entry.objects.get(pk=rule.pk)


@pytest.mark.django_db
class TestNearNames:
    def test_a_slip_is_met_with_the_name(self) -> None:
        make_card("ボルメテウス・ホワイト・ドラゴン")
        assert ask("ボルメテウスホワイトドラコン 種類:faq").did_you_mean == ["ボルメテウス・ホワイト・ドラゴン"]

    def test_an_exact_name_needs_none(self) -> None:
        make_card("ボルメテウス・ホワイト・ドラゴン")
        assert ask("ボルメテウスホワイトドラゴン").did_you_mean == []


@pytest.mark.django_db
class TestNamesAlike:
    def test_the_one_written_exactly_so_stands_first(self) -> None:
        old, new = make_card("零龍"), make_card("零竜")
        assert [hit.card for hit in ask("零龍").hits][0] == old
        assert [hit.card for hit in ask("零竜").hits][0] == new
        assert [hit.card for hit in ask("《零竜》").hits][0] == new

    def test_a_reading_in_the_name_is_left_out_or_read(self) -> None:
        card = make_card("ボルシャック・モモキングNEX（ネックス）")
        make_card("ボルシャック・ドラゴン")
        for q in ("ボルシャックモモキングNEX", "ボルシャック・モモキングネックス", "ぼるしゃっくももきんぐnex"):
            assert ask(q).hits[0].card == card, q

    def test_a_name_of_one_character(self) -> None:
        make_card("大嵐")
        storm = make_card("嵐")
        assert ask("嵐").hits[0].card == storm

    def test_the_typo_nearest_by_the_whole_name(self) -> None:
        card = make_card("ボルシャック・ドラゴン")
        make_card("ボルシャック・ドラゴン/決闘者・チャージャー")
        assert ask("ボルシャックドラコン").hits[0].card == card
