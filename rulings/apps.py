"""The one app of the project."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_delete, post_save

# Imports write cards in bulk, and record each of them; whoever saves a single one moves the state of the site too.
_SHOWN_BESIDE = ("Game", "Ruleset", "Amendment", "AmendmentGroup", "Source", "Synonym", "Card", "CardFace", "CardAlias")


class RulingsConfig(AppConfig):
    name = "rulings"
    verbose_name = "裁定"

    def ready(self) -> None:
        """What answers show beside entries and cards is no change of one, and still a change of the site."""
        for model in _SHOWN_BESIDE:
            for signal in (post_save, post_delete):
                signal.connect(_touch, self.get_model(model), dispatch_uid=f"touch {model}")
        post_save.connect(_bring_words, self.get_model("Game"), dispatch_uid="words of a game")


def _touch(**_facts: Any) -> None:
    from rulings.models import ChangeCounter

    ChangeCounter.objects.touch()


def _bring_words(instance: Any, created: bool, **_facts: Any) -> None:
    """A game comes with its words, whichever way it was made."""
    from rulings.services.synonyms import load_shipped

    if created:
        load_shipped(instance)
