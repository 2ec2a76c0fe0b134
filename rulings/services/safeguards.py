"""What an import must not do unless the editor says so: end most of a rule book, or empty its rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field

FEWEST = 10  # entries that may always end
_NAMED = 5  # numbers that a message names


class ImportRefusedError(ValueError):
    """The document would take away too much; the message (Japanese) says what. Nothing was stored."""


class ImportImpossibleError(ImportRefusedError):
    """The document contradicts what is known, whoever agrees. Nothing was stored."""


@dataclass(slots=True)
class Losses:
    """What an import takes away: entries that end, of those live before, and rules left without any text."""

    live: int = 0
    ended: int = 0
    emptied: list[str] = field(default_factory=list)  # numbers as printed
    shared: list[str] = field(default_factory=list)  # numbers that two rules would bear at one time

    def impossibility(self) -> str:
        """Why it cannot be done, whoever agrees; "" when it can."""
        if not self.shared:
            return ""
        numbers = _named(list(dict.fromkeys(self.shared)))
        return (
            f"同じ番号を、同じ期間に二つの条項がもつことになります（{numbers}）。"
            "施行日と番号を確かめ、先に片方の条項の番号か終わりの日を直してください。"
        )

    def objection(self) -> str:
        """Why an editor must agree first; "" when there is no reason."""
        reasons = []
        if self.ended >= FEWEST and self.ended * 2 > self.live:
            reasons.append(f"いまある{self.live}件のうち{self.ended}件の項目が終了します。")
        if self.emptied:
            reasons.append(f"文のあった{len(self.emptied)}件の項目（{_named(self.emptied)}）が空になります。")
        if reasons:
            reasons.append("文書が途中で切れているか、別の文書と取り違えていないか確認してください。")
        return "".join(reasons)


def _named(numbers: Sequence[str]) -> str:
    return "、".join(numbers[:_NAMED]) + (" など" if len(numbers) > _NAMED else "")
