"""What is checked in is whole: no file carries what a merge left undecided."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LEFT_BY_A_MERGE = re.compile(rb"^(?:<{7} |>{7} |\|{7} )", re.MULTILINE)


def _files() -> list[Path]:
    """The files of the repository; where it is no repository (an archive), those of the project's own folders."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    folders = ("rulings", "tests", "templates", "static", "fixtures", "locale")
    return [*ROOT.glob("*.md"), *(path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())]


def test_no_file_holds_what_a_merge_left_undecided() -> None:
    files = [path for path in _files() if path.is_file()]
    assert len(files) > 100
    assert [str(path.relative_to(ROOT)) for path in files if LEFT_BY_A_MERGE.search(path.read_bytes())] == []


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_headings_of_the_documents_are_unique(name: str) -> None:
    """A section that stands twice is what is left of two versions."""
    text = (ROOT / name).read_text(encoding="utf-8")
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    headings = re.findall(r"^## .+$", text, re.MULTILINE)
    assert sorted(headings) == sorted(set(headings))
