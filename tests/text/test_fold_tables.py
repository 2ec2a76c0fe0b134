"""The tables that browsers fold with are those of the fold."""

from pathlib import Path

from rulings.text import fold_tables

WRITTEN = Path(__file__).parents[2] / "static" / "js" / "offline" / "tables.js"


def test_the_module_in_static_is_what_the_fold_writes() -> None:
    assert WRITTEN.read_text(encoding="utf-8") == fold_tables.module()


def test_the_tables_hold_what_the_fold_knows() -> None:
    tables = fold_tables.tables()
    assert tables["ONE_TO_ONE"]["龍"] == "竜"  # type: ignore[index]
    assert tables["CASEFOLD"]["ß"] == "ss"  # type: ignore[index]
    assert [0x300, 0x34E] in tables["COMBINING"]  # type: ignore[operator]
