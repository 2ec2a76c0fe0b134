"""The change counter tells one state of the site, and one database, from another."""

import django.utils.timezone
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import rulings.models.changes


def make_row(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One row from the beginning: a default that is evaluated once would be the same in every row."""
    counter = apps.get_model("rulings", "ChangeCounter")
    counter.objects.update_or_create(pk=1, defaults={"database": rulings.models.changes.new_identity()})


class Migration(migrations.Migration):
    dependencies = [("rulings", "0004_feedback")]
    operations = [
        migrations.AddField(
            "changecounter",
            "database",
            models.CharField(
                default=rulings.models.changes.new_identity, editable=False, max_length=32, verbose_name="データベース"
            ),
        ),
        migrations.AddField(
            "changecounter", "touched", models.PositiveBigIntegerField(default=0, verbose_name="番号のない変更の数")
        ),
        migrations.AddField(
            "changecounter",
            "changed_at",
            models.DateTimeField(default=django.utils.timezone.now, verbose_name="最後の変更"),
        ),
        migrations.RunPython(make_row, migrations.RunPython.noop),
    ]
