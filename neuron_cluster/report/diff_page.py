"""A diff of templates for people: labels and lines by group, and the stacks as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.changes.summary.data_change import DataChange, DataChangeKind
from neuron_cluster.changes.summary.edited_key import EditedKey
from neuron_cluster.changes.summary.node_change import NodeChange
from neuron_cluster.changes.summary.resource_change import ResourceChange
from neuron_cluster.changes.summary.team_change import EXISTS, STAYS, TeamChange
from neuron_cluster.changes.summary.template_diff import TemplateDiff
from neuron_cluster.findings.text import listed
from neuron_cluster.table import Table

Pairs = tuple[tuple[str, str], ...]
QUEUE, NAMESPACE, DEVICES = "queue ", "namespace ", "aws.amazon.com/neuron of "


def edit_lines(edits: Sequence[EditedKey]) -> Pairs:
    """Returns the edited keys, with the effect of the change table."""
    return tuple((edit.path, f"{edit.before} -> {edit.after}: {edit.effect}. {edit.what}") for edit in edits)


def node_lines(found: TemplateDiff) -> Pairs:
    """Groups that come, go, roll or are scaled; one line when none does."""
    return tuple((change.group, _node_line(change)) for change in found.nodes) or (("all", "not changed by this edit"),)


def data_lines(found: TemplateDiff) -> Pairs:
    """Returns the resources with data, kept or not."""
    return tuple((change.name.removeprefix("the "), _data_line(change)) for change in found.data) or (
        ("none", "no resource of the templates holds data"),
    )


def access_lines(found: TemplateDiff) -> Pairs:
    """Principals that gain or lose access, and the endpoint; one line when nothing changes."""
    lines = tuple(
        (change.who, f"{change.kind}: {' -> '.join(part for part in (change.before, change.after) if part)}")
        for change in found.access
    )
    return lines or (("all", "not changed by this edit"),)


def image_lines(found: TemplateDiff) -> Pairs:
    """Chart versions, images, and privileges of pods that change; one line when none does."""
    lines = tuple((change.where, f"{change.before or '-'} -> {change.after or '-'}") for change in found.images)
    return lines or (("all", "not changed by this edit"),)


def team_lines(found: TemplateDiff) -> Pairs:
    """Quotas, borrowing, priorities and namespaces that change; nothing when none does.

    A queue, namespace or priority that is added or removed has one line.
    """
    whole = {change.where: change for change in found.teams if not change.setting}
    lines: dict[str, str] = {}
    for change in found.teams:
        edit = whole.get(change.subject)
        if edit is None:
            unit = " devices" if change.setting.startswith(DEVICES) else ""
            lines[change.where] = f"{change.before or '-'} -> {change.after or '-'}{unit}"
        elif change is not edit and not edit.before:
            lines[change.subject] = f"{lines.get(change.subject, 'added')}; {change.setting}: {change.after}"
        else:
            lines.setdefault(change.subject, _whole_line(edit))
    return (*lines.items(), *_smaller_quotas(found))


def _whole_line(edit: TeamChange) -> str:
    """Returns the change of a queue, namespace or priority that is added, removed or given another value."""
    if not edit.before:
        return "added" if edit.after == EXISTS else f"added: {edit.after}"
    if edit.after:
        stays = edit.after == STAYS
        return f"{STAYS}; its quotas and access of the team are deleted" if stays else f"{edit.before} -> {edit.after}"
    return "deleted; its jobs are stopped" if edit.subject.startswith(QUEUE) else "deleted"


def _smaller_quotas(found: TemplateDiff) -> Iterator[tuple[str, str]]:
    """The templates do not have what is in use, so the line is about what may happen."""
    whole = {change.subject for change in found.teams if not change.setting}
    smaller = {change.subject for change in found.teams if change.is_less and change.subject not in whole}
    for label, kind, text in (
        ("smaller quotas", QUEUE, "running jobs beyond the new quota may be preempted when another queue claims it"),
        ("smaller limits", NAMESPACE, "what runs beyond the new limit stays, and Kubernetes rejects new objects"),
    ):
        if names := sorted(each.removeprefix(kind) for each in smaller if each.startswith(kind)):
            yield label, f"{listed(names)}: {text}; what is in use was not read"


def resource_lines(found: TemplateDiff) -> Pairs:
    """Every resource that changes, and why."""
    return tuple((f"{change.stack}/{change.logical_id}", _resource_line(change)) for change in found.resources)


def stacks_table(found: TemplateDiff) -> Table:
    """How many resources of each stack change."""
    rows = tuple(
        (stack.stack, stack.state.value, *map(str, (stack.added, stack.updated, stack.replaced, stack.removed)))
        for stack in found.stacks
    )
    return Table("Resources", ("stack", "state", "added", "updated", "replaced", "removed"), rows)


def _node_line(change: NodeChange) -> str:
    nodes = f" ({change.nodes} node{'' if change.nodes == 1 else 's'})" if change.nodes else ""
    blocked = ", blocked" if change.is_refused else ""
    reserved = f"; now in {change.reservation_id}" if change.reservation_id else ""
    return f"{change.kind}{nodes}{blocked}: {change.what}{reserved}"


def _data_line(change: DataChange) -> str:
    blocked = ", blocked" if change.is_refused else ""
    what = f": {change.what}" if change.what else ""
    by_edit = " by this edit" if change.kind == DataChangeKind.RETAINED and not blocked else ""
    return f"{change.kind}{by_edit}{blocked}{what} ({change.type})"


def _resource_line(change: ResourceChange) -> str:
    why = f": {'; '.join(change.why)}" if change.why else ""
    return f"{change.kind}{why} ({change.type})"
