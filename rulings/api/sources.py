"""Sources: where a text was read."""

from typing import Any

from rest_framework import serializers

from rulings.models import Entry, Revision, Source


class SourceSerializer(serializers.Serializer):
    """出典。"""

    id = serializers.IntegerField()
    title = serializers.CharField()
    publisher = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    published_on = serializers.DateField(allow_null=True)
    retrieved_at = serializers.DateTimeField()
    sha256 = serializers.CharField()


class LineSerializer(serializers.Serializer):
    """出典の一行。"""

    number = serializers.IntegerField(help_text="行番号（1から）。")
    text = serializers.CharField(allow_blank=True)


class SourceLinesSerializer(SourceSerializer):
    """出典と、項目がそこから読まれた行。"""

    lines = LineSerializer(many=True)


def lines_of(entry: Entry, wording: Revision | None) -> dict[str, Any] | None:
    """The source of a wording with the lines it was read from; the entry's own where the wording has none."""
    held = wording if wording and wording.source_id else entry.ruling
    source: Source | None = held.source
    if source is None:
        return None
    lines = [
        {"number": number, "text": text}
        for first, last in held.lines
        for number, text in enumerate(source.lines(first, last), first)
    ]
    return {**SourceSerializer(source).data, "lines": lines}
