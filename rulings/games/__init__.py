"""The list of games. A new game is one profile and its line here."""

from rulings.games import dm, ygo
from rulings.games.base import GameProfile

PROFILES: dict[str, GameProfile] = {profile.slug: profile for profile in (dm.PROFILE, ygo.PROFILE)}


def profile_of(slug: str) -> GameProfile:
    """Return the profile of a game; a game without one gets the general defaults."""
    return PROFILES.get(slug) or GameProfile(slug=slug, name=slug, ruleset_names={})


__all__ = ["PROFILES", "GameProfile", "profile_of"]
