"""Split the lines of a section into its body and its examples."""

import re
from collections.abc import Mapping, Sequence

from rulings.importers.records import Example
from rulings.text.rejoin import display_width, rejoin

_EXAMPLE = re.compile(r"\s*(例[ \u3000]?[0-9０-９]{0,2})[ \u3000]?[：:）)][ \u3000]*")


def starts_example(line: str) -> bool:
    """Tell whether a line begins an example (例：, 例２：)."""
    return _EXAMPLE.match(line) is not None


def split_examples(lines: Sequence[str]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the lines before the first example, and (label as printed, lines) of each example."""
    body: list[str] = []
    examples: list[tuple[str, list[str]]] = []
    for line in lines:
        match = _EXAMPLE.match(line)
        if match is not None:
            examples.append((match[1], [line[match.end() :]]))
        else:
            (examples[-1][1] if examples else body).append(line)
    return body, examples


def read_body(lines: Sequence[str], width: int, names: Mapping[str, str], indent: int = 0) -> tuple[str, list[Example]]:
    """Return the text of a section and its examples, lines rejoined; `indent` as for `rejoin`."""
    body, examples = split_examples(lines)
    read = [
        Example("".join(label.split()), rejoin(part, width, names, display_width(label) + 2))
        for label, part in examples
    ]
    return rejoin(body, width, names, indent), read
