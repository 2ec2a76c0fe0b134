"""What problems say of themselves, Japanese and English side by side: the one place for both.

The API answers in Japanese and adds the English; `say` gives a text that is whichever language is asked of it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import lazy
from django.utils.translation import get_language, override

LONGEST_SHOWN = 80  # characters of a value at fault

SAYINGS: dict[str, tuple[str, str]] = {
    "at_least": (
        "{name} には {least} 以上の整数を指定してください。",
        "{name} must be a whole number of at least {least}, not {given}.",
    ),
    "at_most": ("{name} は {most} 以下にしてください。", "{name} must be at most {most}, not {given}."),
    "no_such_page": (
        "{page} ページ目はありません（最後は {last} ページ目、全 {count} 件）。",
        "There is no page {page}: the last one is {last}, with {count} rows in all.",
    ),
    "unknown_name": ("{name} に指定できない名前です：{given}", "{name} knows no name {given}; it knows {known}."),
    "unknown_ordering": (
        "ordering には {listed} のどれかを指定してください。",
        "ordering must be one of {known}, not {given}.",
    ),
    "bad_cursor": (
        "この cursor は読めません。next のアドレスをそのまま使ってください。",
        "The cursor {given} cannot be read. Use the address in next as it is.",
    ),
    "cursor_alone": (
        "cursor と {name} は併用できません。",
        "cursor and {name} (here {given}) cannot be used together.",
    ),
    "from_before_to": ("from は to より前の日にしてください。", "from ({start}) must be a day before to ({end})."),
    "unknown_parameter": ("知らないパラメーターです：{name}", "There is no parameter {name}; strict=1 refuses it."),
    "no_nul": ("NUL 文字は使えません。", "{name} contains a NUL character."),
    "too_many_ids": (
        "一度に取れるのは合わせて {most} 件までです。",
        "At most {most} ids can be asked for at once, not {given}.",
    ),
    "unknown_ruleset": ("そのような規則集はありません。", "There is no ruleset {given}."),
    "unknown_card": ("そのようなカードはありません。", "There is no card {given}."),
    "not_known_before": (
        "{since} より前のものは登録されていません（not known before {since}）。",
        "Nothing is known before {since}; {given} was asked for.",
    ),
    "log_begins_later": (
        "{number} 番からの記録は残っていません。exports/ からはじめ直してください。",
        "Change {number} and those behind it are no longer kept. Begin anew with exports/.",
    ),
    "number_of_another": (
        "{number} 番は別のデータのものです。exports/ からはじめ直してください。",
        "Change {number} is of another database: here the last one is {latest}. Begin anew with exports/.",
    ),
    "number_not_reached": (
        "最後の変更は {latest} 番です。{number} 番は別のデータのものです。exports/ からはじめ直してください。",
        "The last change is {latest}: {number} is of another database. Begin anew with exports/.",
    ),
    "other_mark": (
        "{number} 番のしるしが違います。別のデータのものです。exports/ からはじめ直してください。",
        "Change {number} does not bear the mark {given} here: it is of another database. Begin anew with exports/.",
    ),
    "other_etag": (
        "If-Match の ETag は、いまの内容のものではありません。",
        "The content is no longer that of If-Match ({given}); its ETag is {etag}.",
    ),
    "changed_since": ("指定の時刻より後に変わっています。", "It was changed on {changed}, after {given}."),
    "bad_key": ("この API キーは使えません。", "This API key is wrong, was revoked, or is not sent as a Bearer token."),
    "key_required": (
        "Authorization: Bearer に API キーを添えてください。",
        "Send an API key in Authorization: Bearer.",
    ),
    "no_address": (
        "この API にそのアドレスはありません。一覧は /api/v1/docs/ にあります。",
        "There is nothing at {path}. The addresses are listed at /api/v1/docs/.",
    ),
    "not_found": ("お探しのものは見つかりませんでした。", "There is nothing at {path}."),
    "malformed_request": (
        "リクエストの形が正しくありません。",
        "{method} {path}: the request or its body cannot be read. {why}",
    ),
    "forbidden": ("この操作は許可されていません。", "{method} {path} is not allowed."),
    "method_not_allowed": (
        "ここで使えるメソッドは Allow ヘッダーのとおりです。",
        "{method} is not allowed at {path}; the header Allow lists what is.",
    ),
    "not_acceptable": (
        "この API は JSON で答えます。Accept に application/json を含めてください。",
        "{path} cannot answer in any form of Accept: {accept}.",
    ),
    "unsupported_media_type": (
        "本文は application/json で送ってください。",
        "Send the body as application/json, not as {content_type}.",
    ),
    "throttled": (
        "しばらく待ってから、もう一度お試しください。",
        "Too many requests from this client. Come back in {wait} seconds.",
    ),
    "internal_error": (
        "サーバーの中で予期しない問題が起きました。時間をおいてお試しください。",
        "Something unexpected went wrong while answering {method} {path}. Please try again later.",
    ),
    "unavailable": (
        "データベースがいま応答できません。時間をおいてお試しください。",
        "The database does not answer at the moment. Please try {method} {path} again later.",
    ),
}


def _said(key: str, values: Mapping[str, Any]) -> str:
    japanese, english = SAYINGS[key]
    return (english if (get_language() or "").startswith("en") else japanese).format(**values).strip()


_lazily: Callable[..., Any] = lazy(_said, str)


def say(key: str, **values: Any) -> Any:
    """Return the text under `key` as a lazy string; the language is chosen when it is read."""
    return _lazily(key, values)


def in_both(text: Any) -> tuple[str, str]:
    """The Japanese and the English of a text; of a plain one twice the same."""
    with override("ja"):
        japanese = str(text)
    with override("en"):
        return japanese, str(text)


def shown(value: Any) -> str:
    """A value at fault in quotes, cut."""
    text = str(value)
    return f'"{text[:LONGEST_SHOWN]}…"' if len(text) > LONGEST_SHOWN else f'"{text}"'


def is_japanese(text: str) -> bool:
    """Whether a message holds Japanese; those of libraries are sometimes English only."""
    return any("\u3040" <= letter <= "\u9fff" for letter in text)
