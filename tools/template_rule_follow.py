"""How the hint of a rule is followed, as its fixture says it: ``follow`` in each bad case, in the words of rule_follow.

follow:
  - {"@": required}                                   # @ is the place of the finding, ^ what holds it, and so on
  - {"^/CapacityReservationTarget": ~delete~}         # paths are those of the fixture, here of a template
  - {edits: {"@": ~delete~}, yours: {"^ name": mine}} # and here of a Kubernetes object
  - {edits: {...}, then: [{...}]}                     # then: what the hints of the findings say that the edits bring
  - none: the reason                                  # nothing to edit

Templates and objects are edited as the hint says. The environment file that they were made of has rules of its own.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from hint_commands import command_error, commands_in
from hint_words import unsaid
from msgspec import Struct
from rule_follow import Follow, Value, read_follows
from tree_edit import DELETE, Path, edit

from neuron_cluster.findings.finding import Finding

UPWARDS = "^"
PLACE = "@"


class CheckedCases(Protocol):
    """The input of the rules of one kind, and how its fixtures write paths."""

    separator: str

    def tree(self, case: Mapping[str, Any]) -> Any:
        """Returns the valid tree with the edits of a case."""

    def judge(self, tree: Any, case: Mapping[str, Any]) -> list[Finding]:
        """Returns findings of all rules, in the context that the case names."""

    def path(self, text: str, tree: Any) -> Path: ...

    def place(self, finding: Finding, tree: Any) -> Path: ...

    def named(self, path: Path, value: Any, tree: Any) -> tuple[str, ...]:
        """Words for a place, of which a hint that has it edited must have one."""


class TemplateRuleCase(Struct, frozen=True, dict=True):
    """One bad case of a rule's fixture."""

    rule: str
    subject: CheckedCases
    given: Mapping[str, Any]
    follows: tuple[Follow, ...]

    @functools.cached_property
    def tree(self) -> Any:
        return self.subject.tree(self.given)

    @functools.cached_property
    def found(self) -> list[Finding]:
        """Findings of all rules."""
        return self.found_anew()

    def found_anew(self) -> list[Finding]:
        """The same, judged now: a rule may have been changed since, as a test of mutants does."""
        return self.subject.judge(self.tree, self.given)

    @property
    def findings(self) -> list[Finding]:
        """Findings of this rule; a test checks that there are no others."""
        return [finding for finding in self.found if finding.id == self.rule]

    def command_errors(self) -> list[str]:
        """Commands in the hints that their programs would not understand; a way by command where there is none."""
        commands = [command for finding in self.findings for command in commands_in(finding.hint)]
        lacking = not commands and any(follow.command for follow in self.follows)
        return [error for command in commands if (error := command_error(command))] + ["no command"] * lacking

    def flaws_of(self, follow: Follow) -> list[str]:
        """Returns the faults of a way to follow the hint, begun at the place of each finding."""
        return [flaw for first in self.findings for flaw in _Walk(self).flaws(follow, first)]


def rule_cases(
    rule: str, subject: CheckedCases, cases: Iterable[Mapping[str, Any]], follow: Any = ()
) -> list[TemplateRuleCase]:
    """The bad cases of a fixture; ``follow`` is for those that say nothing of their own."""
    ways = [case.get("follow", list(follow)) for case in cases]
    return [
        TemplateRuleCase(rule, subject, case, read_follows(way, way)) for case, way in zip(cases, ways, strict=True)
    ]


class _Walk:
    """Follows the hint of one finding, then of those of the same rule that are left, then of what that has brought."""

    def __init__(self, case: TemplateRuleCase) -> None:
        self._case = case
        self._tree = copy.deepcopy(case.tree)
        self._left = list(case.findings)

    def flaws(self, follow: Follow, first: Finding) -> list[str]:
        flaws, place, finding = [], self._place(first), first
        for _ in self._case.findings:
            flaws += self._step(follow, self._place(finding), [finding])
            own = [each for each in self._left if each.id == self._case.rule]
            if not own:
                break
            finding = own[0]
        for then in follow.then:
            flaws += self._step(then, place, self._left)
        return flaws + [f"{left.id} {left.location.path}: {left.message}" for left in self._left]

    def _step(self, follow: Follow, written_for: Path, findings: Sequence[Finding]) -> list[str]:
        """Edits, and says which part of them no hint of these findings asks for."""
        edits, yours = (self._by_path(values, written_for) for values in (follow.edits, follow.yours))
        named = functools.partial(self._case.subject.named, tree=self._tree)
        flaws = [unsaid(self._tree, edits, self._place(f), f.hint, yours=yours, named=named) for f in findings]
        # What is removed from a list moves what comes after it: removals last, in the reverse order.
        both = [*edits.items(), *yours.items()]
        removals = [(path, value) for path, value in both if value == DELETE]
        for path, value in [each for each in both if each not in removals] + removals[::-1]:
            edit(self._tree, path, value)
        self._left = self._case.subject.judge(self._tree, self._case.given)
        return min(flaws, key=len, default=["no finding asks for it"])

    def _place(self, finding: Finding) -> Path:
        return self._case.subject.place(finding, self._tree)

    def _by_path(self, values: Mapping[str, Value], place: Path) -> dict[Path, Any]:
        path = functools.partial(self._case.subject.path, tree=self._tree)
        return {
            written_out(text, place, self._case.subject.separator, path): value.typed for text, value in values.items()
        }


def written_out(text: str, place: Path, separator: str, path: Callable[[str], Path]) -> Path:
    """A path of a fixture, with ``@`` and ``^`` written out for the place of a finding."""
    first, _, rest = text.partition(separator)
    if first != PLACE and set(first) != {UPWARDS}:
        return path(text)
    ups = first.count(UPWARDS)
    return (*place[: len(place) - ups], *steps(rest.split(separator) if rest else ()))


def steps(parts: Iterable[str]) -> Path:
    """Keys, and positions as numbers."""
    return tuple(int(part) if part.isdecimal() else part for part in parts)
