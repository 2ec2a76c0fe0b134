"""Data and named querysets. Knows nothing of search, API or pages."""

from rulings.models.amendments import Amendment, AmendmentGroup
from rulings.models.api_keys import ApiKey
from rulings.models.cards import Card, CardAlias, CardFace
from rulings.models.changes import Change, ChangeCounter, ChangeKind
from rulings.models.contradictions import Contradiction, ContradictionKind
from rulings.models.entries import LIVE, CardInteraction, Entry, FaqEntry, Kind, Level, RuleSection, Status
from rulings.models.feedback import Feedback, FeedbackKind, FeedbackState
from rulings.models.games import Authority, Game, Ruleset
from rulings.models.lineages import Lineage, LineageKind
from rulings.models.references import CrossReference, Place
from rulings.models.reviews import Decision, Doubt, Review
from rulings.models.revisions import Event, Revision, Verdict
from rulings.models.sources import Source
from rulings.models.subscriptions import Attempt, KnownEntry, MessageKind, Subscription, SubscriptionState
from rulings.models.synonyms import Origin, Synonym

__all__ = [
    "LIVE",
    "Amendment",
    "AmendmentGroup",
    "ApiKey",
    "Attempt",
    "Authority",
    "Card",
    "CardAlias",
    "CardFace",
    "CardInteraction",
    "Change",
    "ChangeCounter",
    "ChangeKind",
    "Contradiction",
    "ContradictionKind",
    "CrossReference",
    "Decision",
    "Doubt",
    "Entry",
    "Event",
    "FaqEntry",
    "Feedback",
    "FeedbackKind",
    "FeedbackState",
    "Game",
    "Kind",
    "KnownEntry",
    "Level",
    "Lineage",
    "LineageKind",
    "Origin",
    "MessageKind",
    "Place",
    "Review",
    "Revision",
    "RuleSection",
    "Ruleset",
    "Source",
    "Status",
    "Subscription",
    "SubscriptionState",
    "Synonym",
    "Verdict",
]
