"""The result of ``diff``: what an edit does to nodes, data, access and stacks, and its findings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.accepted_deletion import with_accepted_deletions
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.folded import folded
from neuron_cluster.changes.source_key import source_keys
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.changes.summary.access_change import AccessChange, access_changes, protection_changes
from neuron_cluster.changes.summary.data_change import DataChange, data_changes
from neuron_cluster.changes.summary.deployed_machines import DeployedMachines, deployed_machines
from neuron_cluster.changes.summary.image_change import ImageChange, image_changes
from neuron_cluster.changes.summary.node_change import NodeChange, node_changes
from neuron_cluster.changes.summary.resource_change import ResourceChange, resource_changes
from neuron_cluster.changes.summary.stack_change import StackChange, StackState, stack_changes
from neuron_cluster.changes.summary.team_change import TeamChange, team_changes
from neuron_cluster.changes.summary.workstation_change import workstation_changes
from neuron_cluster.findings.finding import Finding, Severity, has_error


class TemplateDiff(Struct, frozen=True):
    """Two states of the stacks of an environment."""

    nodes: tuple[NodeChange, ...]
    data: tuple[DataChange, ...]
    """Every resource that holds data, those that stay as they are too."""
    access: tuple[AccessChange, ...]
    stacks: tuple[StackChange, ...]
    resources: tuple[ResourceChange, ...]
    findings: tuple[Finding, ...]
    images: tuple[ImageChange, ...] = ()
    """Chart versions, container images and settings that let pods reach their node."""
    teams: tuple[TeamChange, ...] = ()
    """Quotas of queues, priorities, namespaces and their limits."""
    machines_before: tuple[DeployedMachines, ...] = ()
    """Node groups and workstations before the edit."""
    keys: dict[tuple[str, str, str], tuple[str, ...]] = {}
    """Keys of the file, by stack and logical id of the findings that one comes from."""

    @property
    def is_none(self) -> bool:
        """Whether a deploy would have nothing to do and no finding."""
        return not self.findings and not self.changes_something

    @property
    def changes_something(self) -> bool:
        """Whether a deploy would change a stack, or its protection."""
        return bool(self.access) or any(stack.state is not StackState.UNCHANGED for stack in self.stacks)


def diff_templates(
    before: Mapping[str, Template],
    after: Mapping[str, Template],
    catalog: Catalog,
    protected: tuple[Collection[str], Collection[str]] = ((), ()),
    of_account: Callable[[Comparison], Iterable[Finding]] = lambda _: (),
    of_data: Callable[[Comparison, Sequence[Finding]], Sequence[Finding]] = lambda _, found: found,
) -> TemplateDiff:
    """Returns the changes of a deploy of ``after`` over ``before``; both are templates by stack name.

    ``protected`` are the stacks that have termination protection before and after, which no template has.
    ``of_account`` returns what only the account shows of an edit; it is called where no change guard has an error.
    ``of_data`` returns the findings that are true of the data that exists.
    """
    comparison = Comparison(before, after, catalog)
    found = with_accepted_deletions(
        of_data(comparison, change_findings(before, after, catalog)), {*protected[0], *protected[1]}
    )
    shown = folded(comparison, found)
    if not has_error(shown):
        shown += of_account(comparison)
    blocked = {Address(f.location.file, f.location.path) for f in found if f.severity is Severity.ERROR}
    resources = resource_changes(comparison)
    return TemplateDiff(
        nodes=(*node_changes(comparison, blocked), *workstation_changes(comparison)),
        data=tuple(data_changes(comparison, blocked)),
        access=(*access_changes(comparison), *protection_changes(*protected, before.keys() & after.keys())),
        stacks=tuple(stack_changes(before, after, resources)),
        resources=tuple(resources),
        images=tuple(image_changes(comparison)),
        teams=tuple(team_changes(comparison)),
        findings=tuple(shown),
        keys=source_keys(comparison, shown),
        machines_before=deployed_machines(before),
    )
