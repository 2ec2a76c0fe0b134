"""The index follows the change log."""


def catch_up() -> int:
    """Apply the changes that the index does not hold yet; return how many were applied."""
    return 0


def rebuild() -> int:
    """Build the index anew beside the live one and swap; return how many documents it holds."""
    return 0


def is_behind() -> bool:
    """Whether the change log has changes that the index does not hold."""
    return False
