from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CountOrder(Rule):
    """The desired count is between min and max (`count`).

    Without this check EKS rejects the node group with InvalidParameterException, "Minimum capacity 3 can't be greater
    than desired size 2" or "Desired capacity 20 can't be greater than max size 16".
    """

    id = "E3007"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html"
    proposes = ("desired", "min")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            minimum, desired, maximum = group.scaling.minimum, group.scaling.desired, group.scaling.maximum
            path = (*group.path, "count")
            if maximum is not None and minimum > maximum:
                yield Violation(
                    (*path, "min"),
                    f"min is {minimum}, more than max ({maximum})",
                    _corrections(minimum, desired, maximum),
                )
            elif maximum is not None and desired > maximum:
                yield Violation(
                    (*path, "desired"),
                    f"desired is {desired}, more than max ({maximum})",
                    f"lower desired to {maximum}, or raise max to {desired}",
                )
            elif desired < minimum:
                yield Violation(
                    (*path, "desired"),
                    f"desired is {desired}, less than min ({minimum})",
                    f"raise desired to {minimum}, or lower min to {desired}",
                )


def _corrections(minimum: int, desired: int, maximum: int) -> str:
    """Both corrections of a min above max, each with a desired count between them."""
    lower = f"lower min to {min(maximum, desired)}"
    if desired > maximum:
        lower = f"lower min to {maximum} and desired to {maximum}"
    higher = f"raise max to {max(minimum, desired)}"
    if desired < minimum:
        higher += f" and desired to {minimum}"
    return f"{lower}, or {higher}"
