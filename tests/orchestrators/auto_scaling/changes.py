"""Auto Scaling groups in `diff` and `deploy`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source import ChangeSource
from neuron_cluster.changes.summary.node_change import NodeChange, NodeChangeKind
from neuron_cluster.orchestrators.resource_kind import ResourceKind


def group_name(properties: Mapping[str, Any]) -> str:
    return str(properties["AutoScalingGroupName"]).rpartition("/")[2]


TYPE, KEY = "AWS::AutoScaling::AutoScalingGroup", ("auto_scaling", "groups")
KIND = ResourceKind(type=TYPE, noun="the Auto Scaling group", name=group_name, key=KEY, is_item=True)


class AutoScalingChanges(ChangeSource):
    id = "auto_scaling"

    def node_changes(self, comparison: Comparison) -> Iterator[tuple[Address, NodeChange]]:
        for address in comparison.updated:
            after = comparison.after.properties(address)
            old, new = (int(each.get("DesiredCapacity", 0)) for each in (comparison.before.properties(address), after))
            if comparison.type_of(address) == TYPE and old != new:
                what = f"desired {old} -> {new}"
                yield address, NodeChange(group_name(after), NodeChangeKind.SCALED, what, abs(new - old), None)
