"""CloudFormation changes and removes no export while a deployed stack imports it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.guards.state import MIGRATE, holds_state
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.text import listed

TWO_STEPS = (
    f"undo the edit, or take two steps: 1. `{Command.DESTROY}`, which removes the stacks that import it and "
    "keeps data; 2. deploy the edited file"
)


class ExportChanged(Guard):
    """No edit changes an export that another deployed stack imports.

    CloudFormation rejects a change of an export in use, after it has begun to update other stacks.
    """

    id = "E9005"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-exports.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        guarded = {each.type for each in registered_resource_kinds().values() if each.has_replacement_guard}
        reported = {
            a for a in comparison.replaced if comparison.type_of(a) in guarded or holds_state(comparison.before, a)
        }
        for about, importers in _importers(comparison, _has_changed).items():
            if about not in reported:
                yield _changed(comparison, about, importers)


class ExportRemoved(Guard):
    """No edit removes an export that another deployed stack imports.

    CloudFormation rejects the removal of an export in use, after it has begun to update other stacks.
    """

    id = "E9006"
    source = ExportChanged.source

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for about, importers in _importers(comparison, _is_removed).items():
            yield _removed(comparison, about, importers)


class Published(Struct, frozen=True):
    """An export of a deployed stack that other deployed stacks import."""

    name: str
    about: Address
    """The resource whose value it is; the export itself under its own name when it refers to none."""
    importers: tuple[str, ...]


def _importers(comparison: Comparison, applies: Callable[[Comparison, str], bool]) -> dict[Address, list[str]]:
    """The importers of the exports to which it applies, by the resource whose value each is."""
    found: dict[Address, set[str]] = {}
    for export in exports_in_use(comparison):
        stack, _ = comparison.before.exports[export.name]
        if stack not in comparison.gone_stacks and applies(comparison, export.name):
            found.setdefault(export.about, set()).update(export.importers)
    return {about: sorted(importers) for about, importers in found.items()}


def exports_in_use(comparison: Comparison) -> Iterator[Published]:
    """The exports of deployed stacks that another deployed stack imports."""
    stacks = sorted({address.stack for address in comparison.before.addresses()})
    imports = {stack: comparison.before.imports(stack) for stack in stacks}
    for name, (producer, value) in comparison.before.exports.items():
        importers = tuple(stack for stack in stacks if stack != producer and name in imports[stack])
        if importers:
            about = next((r.target for r in references(comparison.before.normal(producer, value))), None)
            yield Published(name, about or Address(producer, name), importers)


def _is_removed(comparison: Comparison, name: str) -> bool:
    stack, _ = comparison.before.exports[name]
    return comparison.after.exports.get(name, ("",))[0] != stack


def _has_changed(comparison: Comparison, name: str) -> bool:
    if _is_removed(comparison, name):
        return False
    old, new = (stacks.normal(*stacks.exports[name]) for stacks in (comparison.before, comparison.after))
    return old != new or any(comparison.has_moved(reference) for reference in references(new))


def _changed(comparison: Comparison, about: Address, importers: list[str]) -> Violation:
    if about not in comparison.replaced:
        what = "would be exported with another value"
    else:
        what = f"would be replaced, because {why_replaced(comparison, about)}"
    return Violation(
        about,
        f"{name_in(comparison, about)} {what}; it is imported by {listed(importers)}, and CloudFormation changes no "
        "export in use",
        MIGRATE if any(_holds_state(comparison, stack) for stack in importers) else TWO_STEPS,
    )


def _holds_state(comparison: Comparison, stack: str) -> bool:
    return any(holds_state(comparison.before, a) for a in comparison.before.addresses() if a.stack == stack)


def _removed(comparison: Comparison, about: Address, importers: list[str]) -> Violation:
    left = [stack for stack in importers if stack in comparison.gone_stacks]
    staying = [stack for stack in importers if stack not in left]
    steps = []
    if left:
        steps.append(
            f"undo the edit except for what takes {listed(left)} out of the file, and deploy, which deletes it"
        )
    if staying:
        also = "make the whole edit, and " if left else ""
        command = f"`{Command.CDK_DEPLOY} --exclusively {' '.join(staying)}`"
        steps.append(f"{also}deploy what uses it alone: {command}")
    steps.append("deploy everything")
    numbered = "; ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return Violation(
        about,
        f"{name_in(comparison, about)} would no longer be exported; it is imported by {listed(importers)}, and "
        "CloudFormation removes no export in use",
        f"undo the edit, or take these steps: {numbered}",
    )
