"""Problem JSON (RFC 9457)."""
