"""Hold in the database that at most one wording of an entry is in force at any time.

Django has no constraint for this that works everywhere: a trigger on SQLite, an exclusion constraint on PostgreSQL.
SQLite drops a table's triggers when a later migration rebuilds the table: such a migration repeats this operation
(tests/models/test_revisions.py fails when it was forgotten).
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

OVERLAP = """
CREATE TRIGGER revision_overlap_{name} BEFORE {event} ON rulings_revision
WHEN COALESCE(NEW.effective_on, '0000-00-00') < COALESCE(NEW.ended_on, '9999-99-99')
 AND EXISTS (
  SELECT 1 FROM rulings_revision AS other
  WHERE other.entry_id = NEW.entry_id AND other.id IS NOT NEW.id
    AND COALESCE(other.effective_on, '0000-00-00') < COALESCE(other.ended_on, '9999-99-99')
    AND COALESCE(other.effective_on, '0000-00-00') < COALESCE(NEW.ended_on, '9999-99-99')
    AND COALESCE(NEW.effective_on, '0000-00-00') < COALESCE(other.ended_on, '9999-99-99')
 )
BEGIN SELECT RAISE(ABORT, 'revisions of an entry overlap'); END
"""
EXCLUSION = """
CREATE EXTENSION IF NOT EXISTS btree_gist;
ALTER TABLE rulings_revision ADD CONSTRAINT revision_overlap
EXCLUDE USING gist (entry_id WITH =, daterange(effective_on, ended_on) WITH &&)
"""


def forbid_overlap(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(OVERLAP.format(name="insert", event="INSERT"))
        schema_editor.execute(OVERLAP.format(name="update", event="UPDATE"))
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(EXCLUSION)
    else:
        raise NotImplementedError(f"no exclusion of overlapping revisions for {schema_editor.connection.vendor}")


def allow_overlap(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER IF EXISTS revision_overlap_insert")
        schema_editor.execute("DROP TRIGGER IF EXISTS revision_overlap_update")
    else:
        schema_editor.execute("ALTER TABLE rulings_revision DROP CONSTRAINT revision_overlap")


class Migration(migrations.Migration):
    dependencies = [("rulings", "0001_initial")]
    operations = [migrations.RunPython(forbid_overlap, allow_overlap)]
