"""Load the content that ships with the project, through the same importers as everything else."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management import call_command

from rulings.importers.records import Form
from rulings.models import Game, Ruleset
from rulings.services.cards import import_cards
from rulings.services.faqs import import_faqs
from rulings.services.importing import import_document
from rulings.services.lists import Progress
from rulings.services.reports import ImportReport
from rulings.services.safeguards import ImportRefusedError
from rulings.services.synonyms import load_words


def load_content(folder: Path, progress: Progress | None = None) -> Iterator[ImportReport]:
    """Load what `folder` (fixtures) holds and yield a report on each file; loading again changes nothing.

    `games.json`; `synonyms/<game>.txt`; `cards/<game>.jsonl`; the documents of `documents/manifest.json`, a list of
    objects with `file`, `ruleset`, and where known `form` (a form of document, or `faqs` for a list), `title`,
    `publisher`, `url`, `published`, `effective` (ISO dates), in the order in which they are loaded.
    """
    documents = json.loads((folder / "documents" / "manifest.json").read_text(encoding="utf-8"))
    wanted = {document["ruleset"] for document in documents}
    if wanted - set(Ruleset.objects.values_list("slug", flat=True)):
        call_command("loaddata", "games", verbosity=0)
    for path in sorted((folder / "synonyms").glob("*.txt")):
        yield load_words(Game.objects.get(slug=path.stem), path.read_bytes())
    for path in sorted((folder / "cards").glob("*.jsonl")):
        yield import_cards(Game.objects.get(slug=path.stem), path.read_bytes(), progress=progress)
    for document in documents:
        yield _load(folder / "documents", dict(document), progress)


def _load(folder: Path, document: dict[str, Any], progress: Progress | None) -> ImportReport:
    data = (folder / document.pop("file")).read_bytes()
    ruleset = Ruleset.objects.select_related("game").get(slug=document.pop("ruleset"))
    form = document.pop("form", "")
    for name in {"published", "effective"} & document.keys():
        document[name] = date.fromisoformat(document[name])
    if form == "faqs":
        return import_faqs(ruleset, data, progress=progress, **document)
    try:
        return import_document(ruleset, data, form=Form(form) if form else None, **document)
    except ImportRefusedError as error:  # what an editor has brought in since goes before what ships
        report = ImportReport(target=ruleset.slug, title=document.get("title", ""))
        report.warn("refused", f"取り込みませんでした。{error}")
        return report
