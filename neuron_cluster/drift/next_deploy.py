"""The effect of the next deploy of the file on a difference: CloudFormation compares templates, not resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from local_aws.cloudformation.property_changes import differs
from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from local_aws.resource_types.binding import bindings
from neuron_cluster.catalog.drift_type import DriftType
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.shown_values import shown
from neuron_cluster.drift.policies import with_canonical_policies, without_empty_elements
from neuron_cluster.drift.records import DeployEffect, Drift, DriftKind, EnvironmentDrift, NextDeploy
from neuron_cluster.protocol.resource_kind import value_of

UNCHANGED = "the template of the resource does not change, and CloudFormation compares templates only"
IN_FILE = "the file has the actual value, which the template then has, too"
PRESENT = "the edit adds what the resource has already, which the service rejects"
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
        place, name = drift.place, drift.place[0]
        before, after = (stacks.properties(address) for stacks in (self._comparison.before, self._comparison.after))
        changed = frozenset(each for each in {*before, *after} if differs(before.get(each), after.get(each)))
        row = self._comparison.catalog.drift_types.get(drift.type)
        if any(map(self._comparison.has_moved, references(value_of(after, place)))):
            return NextDeploy(DeployEffect.SETS, "the edit changes the resource that the property refers to")
        if name in changed:
            old, new = (with_canonical_policies({name: each.get(name)}) for each in (before, after))
            if (effect := _of_changed_property(drift, row, old, new)) is not None:
                return effect
        if name in _sent_along(drift.type, changed, row):
            return NextDeploy(
                DeployEffect.PUTS_BACK, f"the edit changes {', '.join(sorted(changed))}, with which it is sent"
            )
        return NextDeploy(DeployEffect.NOTHING, "the edit changes other properties of the resource, without this one")


def _of_changed_property(
    drift: Drift, row: DriftType | None, old: Mapping[str, Any], new: Mapping[str, Any]
) -> NextDeploy | None:
    """The effect of an edit of the property that the difference is in; None where only other members are sent."""
    name = drift.place[0]
    if _is_actual(drift, new) and not _is_actual(drift, old):
        if row is not None and name in row.rejects_present and drift.template is None:
            return NextDeploy(DeployEffect.FAILS, PRESENT)
        return NextDeploy(DeployEffect.KEEPS, IN_FILE)
    if differs(value_of(old, drift.place), found := value_of(new, drift.place)):
        text = f"the edit sets {shown(found)}" if found is not None else "the edit removes the property"
        return NextDeploy(DeployEffect.SETS, text)
    if row is not None and name in row.sent_by_member:
        return None
    return NextDeploy(DeployEffect.PUTS_BACK, f"the edit changes {name}, which is sent as a whole")


def _is_actual(drift: Drift, properties: Mapping[str, Any]) -> bool:
    """Whether the properties of a template have the actual value at the place of a difference.

    An item that was added to a list, or taken from it, has it at any position.
    """
    holder = value_of(properties, drift.place[:-1])
    if isinstance(holder, list) and None in (drift.template, drift.actual):
        wanted = drift.template if drift.actual is None else drift.actual
        has = any(not differs(without_empty_elements(each), wanted) for each in holder)
        return has is (drift.actual is not None)
    return not differs(without_empty_elements(value_of(properties, drift.place)), drift.actual)


def _sent_along(type_name: str, changed: frozenset[str], row: DriftType | None) -> frozenset[str]:
    """Properties that an update of the changed ones sends, too."""
    sent = set(row.sent_always) if row is not None else set()
    bound = bindings().get(type_name)
    for update in bound.updates if bound is not None else ():
        watched = {*(update.watch or (*update.properties, *update.lists))}
        if update.whole and watched & changed:
            sent |= update.properties.keys()
    return frozenset(sent)
