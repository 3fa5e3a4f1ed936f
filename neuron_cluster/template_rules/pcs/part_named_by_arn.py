from __future__ import annotations

from local_aws.cloudformation.values import Reference
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import CLUSTER, GROUP
from neuron_cluster.template_rules.property_tree import at, items


class PartNamedByArn(TemplateRule):
    """Groups and queues name their cluster, and queues their groups, by `Id` (`ClusterId`, `ComputeNodeGroupId`).

    `Ref` returns the ARN, as the schemas of the types have it; the API accepts an id or a name.

    Without this check PCS rejects the group or queue with a ValidationException (read from the schema, not tried).
    """

    id = "E8966"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = (
        "boto/botocore 1.44.5: pcs ClusterIdentifier, ComputeNodeGroupIdentifier; "
        "cfn-lint 1.58.0: AWS::PCS::Cluster primaryIdentifier"
    )
    types = (
        "AWS::PCS::ComputeNodeGroup",
        "AWS::PCS::Queue",
    )

    def check(self, context: TemplateContext) -> Violations:
        named = [("ClusterId", at(context.resource.properties, "ClusterId"))]
        for position, group in enumerate(items(context.resource.properties.get("ComputeNodeGroupConfigurations"))):
            path = f"ComputeNodeGroupConfigurations[{position}].ComputeNodeGroupId"
            named.append((path, at(group, "ComputeNodeGroupId")))
        for path, value in named:
            referred = context.look_up.referred(value)
            is_arn = isinstance(value, Reference) and referred is not None and referred.type_name in (CLUSTER, GROUP)
            if is_arn and value.attribute != "Id":
                yield Violation(
                    path,
                    f"is the ARN of {value.target.logical_id}, and PCS accepts its id",
                    "write Fn::GetAtt with Id in the place of Ref or Arn",
                )
