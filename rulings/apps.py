"""The one app of the project."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_delete, post_save


class RulingsConfig(AppConfig):
    name = "rulings"
    verbose_name = "裁定"

    def ready(self) -> None:
        """What answers show beside entries and cards is no change of one, and still a change of the site."""
        for model in ("Game", "Ruleset", "Amendment", "AmendmentGroup", "Source"):
            for signal in (post_save, post_delete):
                signal.connect(_touch, self.get_model(model), dispatch_uid=f"touch {model}")


def _touch(**_facts: Any) -> None:
    from rulings.models import ChangeCounter

    ChangeCounter.objects.touch()
