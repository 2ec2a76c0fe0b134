"""The extra that the protocol's tests need: skipped where it is not installed, never in CI."""

import os

import pytest

try:
    import mcp  # noqa: F401
except ImportError:
    if os.environ.get("CI"):
        raise
    pytest.skip("mcp is not installed (requirements-mcp.txt): its server is not tried", allow_module_level=True)
