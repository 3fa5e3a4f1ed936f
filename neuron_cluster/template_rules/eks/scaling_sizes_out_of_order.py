from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, whole_number


class ScalingSizesOutOfOrder(TemplateRule):
    """The sizes of a node group are in order: minimum, desired, maximum (`ScalingConfig`)."""

    id = "E8205"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "boto/botocore 1.44.5: eks NodegroupScalingConfig"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        sizes = [
            whole_number(at(context.resource.properties, "ScalingConfig", f"{name}Size"))
            for name in ("Min", "Desired", "Max")
        ]
        known = [size for size in sizes if size is not None]
        if known != sorted(known):
            yield Violation(
                "ScalingConfig",
                f"MinSize, DesiredSize and MaxSize are {', '.join(map(str, sizes))}: not in order",
                "write numbers with MinSize <= DesiredSize <= MaxSize",
            )
