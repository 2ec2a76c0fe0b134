"""What an import did, for people and for programs."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

COUNTED = {
    "sections": "条項",
    "faqs": "質問",
    "interactions": "カード相互作用",
    "cards": "カード",
    "words": "言い換え",
}
HAPPENED = {"created": "追加", "edited": "変更", "moved": "移動", "ended": "終了", "unchanged": "変更なし"}


@dataclass(slots=True)
class Counts:
    """How many things of a kind an import created, edited, moved, ended and left alone."""

    created: int = 0
    edited: int = 0
    moved: int = 0
    ended: int = 0
    unchanged: int = 0

    @property
    def touched(self) -> int:
        return self.created + self.edited + self.moved + self.ended

    def __iadd__(self, other: "Counts") -> "Counts":
        for name in HAPPENED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def __str__(self) -> str:
        parts = [f"{label}{count}" for name, label in HAPPENED.items() if (count := getattr(self, name))]
        return "、".join(parts) or "なし"


@dataclass(slots=True)
class ReferenceCounts:
    """Citations in the wordings written, and those of older wordings that resolved only now."""

    found: int = 0
    resolved: int = 0
    unresolved: int = 0
    resolved_later: int = 0


@dataclass(slots=True)
class ImportReport:
    """The outcome of one import. `account`: per non-blank line what became of it."""

    target: str  # slug of the ruleset or of the game
    title: str = ""
    form: str = ""
    dry_run: bool = False
    already_imported: bool = False  # this very text was imported before
    published: date | None = None
    effective: date | None = None
    source: int | None = None
    sections: Counts = field(default_factory=Counts)
    faqs: Counts = field(default_factory=Counts)
    interactions: Counts = field(default_factory=Counts)
    cards: Counts = field(default_factory=Counts)
    words: Counts = field(default_factory=Counts)
    references: ReferenceCounts = field(default_factory=ReferenceCounts)
    changes: int = 0  # rows of the change log
    happened: list[dict[str, Any]] = field(default_factory=list)  # per wording written or ended: what, and the texts
    doubtful: list[dict[str, Any]] = field(default_factory=list)  # sections that may be some known ones
    regrouped: list[dict[str, Any]] = field(default_factory=list)  # splits and merges
    contradictions: list[dict[str, Any]] = field(default_factory=list)
    needs_review: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)
    account: list[dict[str, Any]] = field(default_factory=list)

    @property
    def nothing_changed(self) -> bool:
        return self.changes == 0 and not self.words.touched

    @property
    def is_refused(self) -> bool:
        return any(warning["code"] == "refused" for warning in self.warnings)

    def warn(self, code: str, message: str, line: int = 0) -> None:
        """Tell the editor (in Japanese); `line` of the document, 0 when none."""
        self.warnings.append({"code": code, "message": message, "line": line})

    def to_json(self) -> dict[str, Any]:
        """The report as JSON-ready data; dates as ISO text."""
        data = asdict(self) | {"nothing_changed": self.nothing_changed}
        for name in ("published", "effective"):
            data[name] = data[name].isoformat() if data[name] else None
        return data

    def summary(self) -> str:
        """The report for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.title or self.target}（{self.target}）を" + (
            "試しに読み込みました（何も保存していません）。" if self.dry_run else "読み込みました。"
        )
        if self.nothing_changed:
            same = "同じ文書は取り込み済みです。" if self.already_imported else ""
            yield f"{same}変更はありません。"
        for name, label in COUNTED.items():
            counts: Counts = getattr(self, name)
            if counts.touched or counts.unchanged:
                yield f"  {label}: {counts}"
        found = self.references
        if found.found:
            yield f"  参照: {found.found}（解決{found.resolved}、未解決{found.unresolved}）"
        if found.resolved_later:
            yield f"  以前からの項目のうち、引用先が新しく決まったもの: {found.resolved_later}件"
        unread = [line for line in self.account if line["fate"] == "unread"]
        if self.account:
            yield f"  行: {len(self.account)}行を確認、読み取れなかった行は{len(unread)}行"
        if self.needs_review:
            yield f"  要確認になった項目: {len(self.needs_review)}件"
            yield from (f"    - {item['label']}: {item['reason']}" for item in self.needs_review)
        for one in self.regrouped:
            what = "分割" if one["kind"] == "split" else "統合"
            yield f"  {what}: {'、'.join(one['before'])} → {'、'.join(one['after'])}"
        yield from self._doubts()
        if self.contradictions:
            yield f"  食い違う回答: {len(self.contradictions)}組"
            yield from (f"    - {pair['older']} と {pair['newer']}: {pair['reason']}" for pair in self.contradictions)
        if self.warnings:
            yield f"  注意: {len(self.warnings)}件"
            for warning in self.warnings:
                place = f"{warning['line']}行目: " if warning["line"] else ""
                yield f"    - {place}{warning['message']}"

    def _doubts(self) -> Iterator[str]:
        """Which sections the texts alone do not tell apart, and how an editor says what they are."""
        if self.doubtful:
            yield f"  どの条項か決めきれないもの: {len(self.doubtful)}件（--same 前の番号=新しい番号 で決められます）"
        for doubt in self.doubtful:
            near = "、".join(f"{one['number']}（{one['score']:.0%}）" for one in doubt["candidates"])
            taken = f"{doubt['taken_for']} とみなしました" if doubt["taken_for"] else "新しい条項とみなしました"
            yield f"    - {doubt['number']}: 候補 {near}。{taken}。"
