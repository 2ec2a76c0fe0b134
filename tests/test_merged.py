"""Nothing that ships still shows a conflict of two branches."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
KINDS = {".md", ".py", ".html", ".js", ".css", ".po", ".txt", ".toml", ".yaml", ".json", ".sh"}
SKIPPED = {".git", ".venv", "var", "__pycache__", "node_modules"}
MARK = re.compile(r"^(<{7}|\|{7}|>{7}) ", re.MULTILINE)


def test_no_file_holds_the_marks_of_a_conflict() -> None:
    files = [path for path in ROOT.rglob("*") if path.suffix in KINDS and not SKIPPED & {*path.parts}]
    assert len(files) > 100
    assert [str(path.relative_to(ROOT)) for path in files if MARK.search(path.read_text("utf-8", "replace"))] == []
