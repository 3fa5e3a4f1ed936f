"""The effect of the next deploy of the file on a difference: CloudFormation compares templates, not resources."""

from __future__ import annotations

from msgspec.structs import replace

from local_aws.cloudformation.property_changes import differs
from local_aws.cloudformation.values import Address
from local_aws.resource_types.binding import bindings
from neuron_cluster.catalog.drift_type import DriftType
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.shown_values import shown
from neuron_cluster.drift.records import DeployEffect, Drift, DriftKind, EnvironmentDrift, NextDeploy
from neuron_cluster.protocol.resource_kind import value_of

UNCHANGED = "the template of the resource does not change, and CloudFormation compares templates only"
NO_STACK = "no stack has it"


def with_next_deploy(found: EnvironmentDrift, comparison: Comparison) -> EnvironmentDrift:
    """Each difference with the effect of a deploy, by the comparison of the deployed templates with the new ones."""
    effects = NextDeploys(comparison)
    return replace(found, drifts=tuple(replace(drift, next_deploy=effects.of(drift)) for drift in found.drifts))


class NextDeploys:
    """The effects of one comparison of templates."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._updated = frozenset(comparison.updated)
        self._removed = frozenset((*comparison.removed, *comparison.handed_over))

    def of(self, drift: Drift) -> NextDeploy:
        """The effect on one difference."""
        if drift.kind is DriftKind.ADDED:
            return NextDeploy(DeployEffect.NOTHING, NO_STACK)
        address = Address(drift.stack, drift.logical_id)
        if address in self._removed:
            return NextDeploy(DeployEffect.REMOVES, "the file does not have it any more")
        if address in self._comparison.replaced:
            return NextDeploy(DeployEffect.REPLACES, f"because {why_replaced(self._comparison, address)}")
        if address not in self._updated:
            return NextDeploy(DeployEffect.NOTHING, UNCHANGED)
        if drift.kind is DriftKind.DELETED:
            return NextDeploy(DeployEffect.FAILS, "the edit updates the resource, which does not exist")
        return self._of_update(drift, address)

    def _of_update(self, drift: Drift, address: Address) -> NextDeploy:
        place = drift.place
        before, after = (stacks.properties(address) for stacks in (self._comparison.before, self._comparison.after))
        changed = frozenset(name for name in {*before, *after} if differs(before.get(name), after.get(name)))
        row = self._comparison.catalog.drift_types.get(drift.type)
        old, new = value_of(before, place), value_of(after, place)
        if differs(old, new):
            if not differs(new, drift.actual):
                return NextDeploy(DeployEffect.KEEPS, "the file has the actual value, which the template then has, too")
            words = f"the edit sets {shown(new)}" if new is not None else "the edit removes the property"
            return NextDeploy(DeployEffect.SETS, words)
        if place[0] in changed and not (row is not None and place[0] in row.sent_by_member):
            return NextDeploy(DeployEffect.PUTS_BACK, f"the edit changes {place[0]}, which is sent as a whole")
        if place[0] in _sent_along(drift.type, changed, row):
            return NextDeploy(
                DeployEffect.PUTS_BACK, f"the edit changes {', '.join(sorted(changed))}, with which it is sent"
            )
        return NextDeploy(DeployEffect.NOTHING, "the edit changes other properties of the resource, without this one")


def _sent_along(type_name: str, changed: frozenset[str], row: DriftType | None) -> frozenset[str]:
    """Properties that an update of the changed ones sends, too."""
    sent = set(row.sent_always) if row is not None else set()
    bound = bindings().get(type_name)
    for update in bound.updates if bound is not None else ():
        watched = {*(update.watch or (*update.properties, *update.lists))}
        if update.whole and watched & changed:
            sent |= update.properties.keys()
    return frozenset(sent)
