"""What every chat front end asks of a request before it reads it: fresh, and not seen before."""

import time

from rulings.services.counters import hit

TOLERANCE = 300  # seconds between the clocks, and on the way


def is_fresh(sent_at: float) -> bool:
    """Whether a request signed at `sent_at` (Unix seconds) can be from now."""
    return abs(time.time() - sent_at) <= TOLERANCE


def is_new(service: str, identity: str) -> bool:
    """Whether this signed message is seen for the first time; a copy of it is refused, in every process."""
    return hit(f"seen {service} {identity}", 3 * TOLERANCE).count == 1
