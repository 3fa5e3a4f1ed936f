from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given, is_unknown, items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, InstanceGroup, groups_of

CONTROLLER, LOGIN, COMPUTE = "Controller", "Login", "Compute"


class SlurmNodeTypes(TemplateRule):
    """A Slurm cluster of HyperPod has one Controller group, one Login group at most, and partitions (`SlurmConfig`).

    A Compute group has exactly one partition, the others have none. Clusters without any SlurmConfig are not checked:
    a file with the life cycle scripts lists their groups.
    """

    id = "E8928"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/smcluster-getting-started-slurm-cli.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        groups = groups_of(context.resource)
        node_types = [group.at("SlurmConfig", "NodeType") for group in groups]
        if all(each is None for each in node_types):
            return
        for name, least in ((CONTROLLER, 1), (LOGIN, 0)):
            number = node_types.count(name)
            if number > 1 or (number < least and not any(map(is_unknown, node_types))):
                yield Violation(
                    "InstanceGroups",
                    f"has {number} groups with the NodeType {name}; {'exactly' if least else 'at most'} one is allowed",
                    f"keep one group with NodeType: {name}" if number else f"write NodeType: {name} in one group",
                )
        for group in groups:
            yield from _of_partitions(group)


def _of_partitions(group: InstanceGroup) -> Violations:
    node_type, partitions = text(group.at("SlurmConfig", "NodeType")), group.at("SlurmConfig", "PartitionNames")
    path = f"{group.path}.SlurmConfig.PartitionNames"
    if node_type == COMPUTE and not is_unknown(partitions) and len(items(partitions)) != 1:
        yield Violation(
            path,
            f"has {len(items(partitions))} names; a Compute group has exactly one",
            "write PartitionNames with one name",
        )
    elif node_type in (CONTROLLER, LOGIN) and is_given(partitions) and items(partitions):
        yield Violation(path, f"is set; a {node_type} group has no partition", "remove PartitionNames")
