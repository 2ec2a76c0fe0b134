"""The examples of README, run as they stand against a running site."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import PATIENCE, ROOT, own_copy, shipped, site  # noqa: F401 - fixtures

BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
WRITTEN = "http://localhost:8000"


@pytest.fixture
def address(own_copy: Path) -> Iterator[str]:  # noqa: F811
    with site(own_copy, workers=1) as found:
        yield found


def examples() -> dict[str, list[str]]:
    """The blocks of the chapters about using the site from programs, by their language."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    chapter = text[text.index("## Using it") : text.index("Language models:")]
    found: dict[str, list[str]] = {}
    for language, block in BLOCK.findall(chapter):
        found.setdefault(language, []).append(block)
    return found


def run(command: list[str], folder: Path, **more: str) -> str:
    done = subprocess.run(  # noqa: S603
        command, cwd=folder, capture_output=True, text=True, timeout=2 * PATIENCE, check=False, env=more or None
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_gives_what_it_promises(address: str, tmp_path: Path) -> None:
    blocks = {language: [one.replace(WRITTEN, address) for one in found] for language, found in examples().items()}
    assert set(blocks) == {"sh", "python", "js"}
    assert all(address in one for found in blocks.values() for one in found)
    with_curl(blocks["sh"], tmp_path)
    (python,) = blocks["python"]
    said = run([sys.executable, "-c", python], tmp_path, PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8")
    assert "820.4a" in said
    assert said.strip().endswith("False")  # 117.2 is no longer in force
    if node := shutil.which("node"):
        (script,) = blocks["js"]
        assert run([node, "--input-type=module", "-e", script], tmp_path).strip()


def with_curl(blocks: list[str], folder: Path) -> None:
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("curl is not installed: the examples of README are not tried")
    commands = [one for block in blocks for one in re.split(r"\n(?=curl)", block.strip())]
    assert len(commands) >= 6
    for command in commands:
        fail = command.replace("curl", "curl --fail --silent --show-error", 1)
        said = run(["bash", "-c", fail.replace("wait=20", "wait=0")], folder, PATH=str(Path(curl).parent) + ":/bin")
        if "-o " in command:
            assert (folder / "all.ndjson.gz").stat().st_size > 1_000
            assert "x-change-mark" in (folder / "headers").read_text().lower()
        elif "text/plain" in command:
            assert "820.4a" in said
        else:
            assert json.loads(said)
