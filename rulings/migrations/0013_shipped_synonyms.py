"""The words that ship become rows; the games of a site that was there before get theirs here."""

from typing import Any

from django.conf import settings
from django.db import migrations, models

from rulings.importers.words import parse_words
from rulings.text.fold import squeeze


def bring_words(apps: Any, _editor: Any) -> None:
    """Enter the shipped words of each game, beside what editors entered (`services.synonyms` does it from now on)."""
    synonyms = apps.get_model("rulings", "Synonym").objects
    for game in apps.get_model("rulings", "Game").objects.all():
        path = settings.BASE_DIR / "fixtures" / "synonyms" / f"{game.slug}.txt"
        if not path.is_file():
            continue
        said: dict[str, tuple[str, dict[str, None]]] = {}
        for record in parse_words(path.read_text(encoding="utf-8"))[0]:
            said.setdefault(squeeze(record.text).text, (record.text, {}))[1].update(dict.fromkeys(record.words))
        synonyms.filter(game=game, key__in=said).update(is_shipped=True)
        edited = set(synonyms.filter(game=game).values_list("key", flat=True))
        synonyms.bulk_create(
            synonyms.model(game=game, key=key, text=text, words="、".join(words), origin="shipped", is_shipped=True)
            for key, (text, words) in said.items()
            if key and key not in edited
        )


class Migration(migrations.Migration):
    dependencies = [
        ("rulings", "0012_lineages"),
    ]

    operations = [
        migrations.AddField(
            model_name="synonym",
            name="is_shipped",
            field=models.BooleanField(
                default=False,
                editable=False,
                help_text="同梱の一覧にも、この言葉がある。",
                verbose_name="同梱にあり",
            ),
        ),
        migrations.AddField(
            model_name="synonym",
            name="origin",
            field=models.CharField(
                choices=[("shipped", "同梱"), ("editor", "編集者")],
                default="editor",
                editable=False,
                max_length=10,
                verbose_name="由来",
            ),
        ),
        migrations.RunPython(bring_words, migrations.RunPython.noop),
    ]
