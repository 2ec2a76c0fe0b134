"""Template tags: how texts and badges are drawn."""
