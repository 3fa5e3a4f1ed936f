"""Node group sizes that are not in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ScalingSizesOutOfOrder(ResourceRule):
    """The sizes of a node group are in order: minimum, desired, maximum (`ScalingConfig`)."""

    id = "E8205"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "boto/botocore 1.44.5: eks NodegroupScalingConfig"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        sizes = [
            whole_number(at(resource.properties, "ScalingConfig", f"{name}Size")) for name in ("Min", "Desired", "Max")
        ]
        known = [size for size in sizes if size is not None]
        if known != sorted(known):
            yield Violation(
                "ScalingConfig",
                f"MinSize, DesiredSize and MaxSize are {', '.join(map(str, sizes))}: not in order",
                "write numbers with MinSize <= DesiredSize <= MaxSize",
            )
