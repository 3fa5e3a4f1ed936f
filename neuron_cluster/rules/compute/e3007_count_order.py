"""Order of min, desired and max node counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
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
            least, desired, most = group.scaling.minimum, group.scaling.desired, group.scaling.maximum
            path = (*group.path, "count")
            if most is not None and least > most:
                yield Violation(
                    (*path, "min"), f"min is {least}, more than max ({most})", _mended(least, desired, most)
                )
            elif most is not None and desired > most:
                yield Violation(
                    (*path, "desired"),
                    f"desired is {desired}, more than max ({most})",
                    f"lower desired to {most}, or raise max to {desired}",
                )
            elif desired < least:
                yield Violation(
                    (*path, "desired"),
                    f"desired is {desired}, less than min ({least})",
                    f"raise desired to {least}, or lower min to {desired}",
                )


def _mended(least: int, desired: int, most: int) -> str:
    """Both corrections of a min above max, each with a desired count between them."""
    lower = f"lower min to {min(most, desired)}"
    if desired > most:
        lower = f"lower min to {most} and desired to {most}"
    higher = f"raise max to {max(least, desired)}"
    if desired < least:
        higher += f" and desired to {least}"
    return f"{lower}, or {higher}"
