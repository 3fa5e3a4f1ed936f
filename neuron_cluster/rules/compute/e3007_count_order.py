"""Order of min, desired and max node counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.machine import Count
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class CountOrder(ConfigRule):
    """The desired count is between min and max (`count`).

    Without this check EKS rejects the node group with InvalidParameterException, "Minimum capacity 3 can't be greater
    than desired size 2" or "Desired capacity 20 can't be greater than max size 16".
    """

    id = "E3007"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html"
    proposes = ("desired", "min")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.cluster_groups:
            count = group.spec.count
            path = (*group.path, "count")
            if count.min > count.max:
                yield Violation((*path, "min"), f"min is {count.min}, more than max ({count.max})", _mended(count))
            elif count.desired > count.max:
                yield Violation(
                    (*path, "desired"),
                    f"desired is {count.desired}, more than max ({count.max})",
                    f"lower desired to {count.max}, or raise max to {count.desired}",
                )
            elif count.desired < count.min:
                yield Violation(
                    (*path, "desired"),
                    f"desired is {count.desired}, less than min ({count.min})",
                    f"raise desired to {count.min}, or lower min to {count.desired}",
                )


def _mended(count: Count) -> str:
    """Both corrections of a min above max, each with a desired count between them."""
    lower = f"lower min to {min(count.max, count.desired)}"
    if count.desired > count.max:
        lower = f"lower min to {count.max} and desired to {count.max}"
    higher = f"raise max to {max(count.min, count.desired)}"
    if count.desired < count.min:
        higher += f" and desired to {count.min}"
    return f"{lower}, or {higher}"
