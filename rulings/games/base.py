"""What a game's profile holds: everything that differs between games, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulings.games.situations import Situation


@dataclass(frozen=True, slots=True)
class GameProfile:
    """One game. Nothing outside `rulings.games` names a game."""

    slug: str
    name: str
    # How a text names a ruleset before a number (総合ルール 805.4a): words → ruleset slug.
    ruleset_names: Mapping[str, str]
    # Words before a number that make it a citation of the document's own ruleset (ルール 305.2.).
    rule_words: tuple[str, ...] = ("ルール", "参考", "参照", "条項")
    # Brackets that always enclose a card name, and those that do so only when the card is known.
    card_brackets: tuple[str, ...] = ("《》", "≪≫", "«»")
    possible_card_brackets: tuple[str, ...] = ()
    # Layouts whose name joins the names of the faces, and the joint.
    joined_layouts: tuple[str, ...] = ()
    face_separator: str = "/"
    # Facts of a face in display order: key → Japanese label.
    card_facts: Mapping[str, str] = field(default_factory=dict)
    # Facts that hold several values.
    list_facts: tuple[str, ...] = ()
    # Codes of facts in published lists: fact key → code → word.
    fact_codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # Words that name the game in a query (デュエマ).
    query_names: tuple[str, ...] = ()
    # Queries that show a newcomer what can be asked.
    example_queries: tuple[str, ...] = ()
    # Layouts that a chapter of the rules explains: code → its heading.
    layout_names: Mapping[str, str] = field(default_factory=dict)
    # By what the rulings of a card are grouped.
    situations: tuple[Situation, ...] = ()
