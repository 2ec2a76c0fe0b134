"""A subscriber of a running site: two processes that serve, a third that imports, somebody who is told."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.live import MANAGE, ROOT, environment, fetch, issued, own_copy, shipped, site  # noqa: F401 - fixtures
from tests.services.receivers import Receiver

TRIAL = {"RULINGS_DEBUG": "1", "RULINGS_WEBHOOK_ALLOW": "127.0.0.1/32"}


def run(folder: Path, *command: str) -> None:
    subprocess.run([*MANAGE, *command], check=True, cwd=ROOT, env=environment(folder, **TRIAL), capture_output=True)


def rows(receiver: Receiver) -> list[dict[str, Any]]:
    """What was told, each change once: on a busy machine an answer may come too late and all is sent again."""
    told = {row["number"]: row for one in receiver.deliveries for row in one.message["data"]["changes"]}
    return list(told.values())


def test_told_of_an_import(own_copy: Path, receiver: Receiver) -> None:  # noqa: F811
    headers = {"Authorization": f"Bearer {issued(own_copy)}", "Content-Type": "application/json"}
    faqs = own_copy / "faqs.json"
    with site(own_copy, **TRIAL) as address:
        body = json.dumps({"address": receiver.url, "search": "q=つみきくずし&kind=faq"}).encode()
        made = fetch(f"{address}/api/v1/subscriptions/", body, **headers)
        assert made.status == 201, made.body
        receiver.wait_for(lambda: bool(receiver.got), 120)
        asked = [
            {"id": "a", "question": "つみきくずしは使えますか？", "answer": "はい、使えます。"},
            {"id": "b", "question": "山札は切りますか？", "answer": "はい、切ります。"},
        ]
        faqs.write_text(json.dumps(asked), encoding="utf-8")
        run(own_copy, "import_faqs", str(faqs), "--ruleset", "dm-cr")
        receiver.wait_for(lambda: bool(rows(receiver)), 120)
        (row,) = rows(receiver)
        assert (row["change"], row["kind"], row["matches"]) == ("created", "faq", True)
        assert row["api_url"].startswith(address)
        assert fetch(row["api_url"]).json()["title"] == "つみきくずしは使えますか？"
        asked[0]["question"] = "ほかのカードは使えますか？"
        faqs.write_text(json.dumps(asked), encoding="utf-8")
        run(own_copy, "import_faqs", str(faqs), "--ruleset", "dm-cr")
        receiver.wait_for(lambda: len(rows(receiver)) > 1, 120)
        assert (rows(receiver)[1]["id"], rows(receiver)[1]["matches"]) == (row["id"], False)
        own = f"{address}/api/v1/subscriptions/{made.json()['id']}/"

        def answers() -> list[int]:
            attempts = fetch(f"{own}attempts/", **headers).json()["results"]
            return [one["status"] for one in attempts if one["status"]]

        receiver.wait_for(lambda: len(answers()) >= 3, 120)  # an attempt is noted after the receiver has heard of it
        assert answers() == [204, 204, 204]
        assert fetch(own, method="DELETE", **headers).status == 204
