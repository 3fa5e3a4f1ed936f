from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.pcs.compute_node_group import GROUP, cluster_of
from neuron_cluster.template_rules.property_tree import at, text, whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource


class TooManyInstances(TemplateRule):
    """The sum of `MaxInstanceCount` of all groups is within the size of the cluster (`Size`).

    The login group counts too. The size cannot be changed.
    """

    id = "E8958"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ServiceQuotaExceededException"
    source = "boto/botocore 1.44.5: pcs CreateClusterRequest size, CreateComputeNodeGroup"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        cluster = cluster_of(resource, context.look_up)
        sizes = {row.name.upper(): row for row in context.catalog.pcs_sizes}
        size = sizes.get(text(cluster.properties.get("Size")) or "") if cluster is not None else None
        if cluster is None or size is None:
            return
        before = sum(_maximum(group) for group in _groups_before(resource, cluster, context.look_up))
        if before <= size.nodes < before + _maximum(resource):
            yield Violation(
                "ScalingConfiguration.MaxInstanceCount",
                f"is {_maximum(resource)}, and {before + _maximum(resource)} with the other groups; a cluster of the "
                f"Size {size.name.upper()} has {size.nodes} instances at most",
                f"write a MaxInstanceCount of {size.nodes - before} or less, or a larger Size of a new cluster",
            )


def _groups_before(
    resource: TemplateResource, cluster: TemplateResource, look_up: LookUp
) -> Iterator[TemplateResource]:
    """Groups of the cluster above this one in the templates: the sum is reported once, where it exceeds the size."""
    for group in look_up.resources(GROUP):
        if group is resource:
            return
        if cluster_of(group, look_up) is cluster:
            yield group


def _maximum(group: TemplateResource) -> int:
    """0 where it is unknown."""
    return whole_number(at(group.properties, "ScalingConfiguration", "MaxInstanceCount")) or 0
