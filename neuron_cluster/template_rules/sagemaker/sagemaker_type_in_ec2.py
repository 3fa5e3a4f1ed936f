from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.hyperpod_type import PREFIX
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource


class SageMakerTypeInEc2(TemplateRule):
    """Node groups and launch templates have instance types of EC2 (`InstanceType`, `InstanceTypes`).

    A name that begins with ml. is one of SageMaker.

    Without this check EC2 does not know the type, and the resource fails.
    """

    id = "E8935"
    operation = "ec2:RunInstances"
    error_code = None
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html (InstanceType)"
    types = (
        "AWS::EC2::LaunchTemplate",
        "AWS::EKS::Nodegroup",
        "AWS::PCS::ComputeNodeGroup",
    )

    def check(self, context: TemplateContext) -> Violations:
        for path, name in _named(context.resource):
            if name.startswith(PREFIX):
                meant = name.removeprefix(PREFIX)
                yield Violation(
                    path,
                    f"is {name}, an instance type of SageMaker",
                    f"write {meant}, or put the type into InstanceGroups of an AWS::SageMaker::Cluster",
                )


def _named(resource: TemplateResource) -> Iterator[tuple[str, str]]:
    """Path and name of each instance type that is known before the deploy."""
    places = [("LaunchTemplateData.InstanceType", at(resource.properties, "LaunchTemplateData", "InstanceType"))]
    several = items(at(resource.properties, "InstanceTypes"))
    places += [(f"InstanceTypes[{position}]", name) for position, name in enumerate(several)]
    configs = items(at(resource.properties, "InstanceConfigs"))
    places += [
        (f"InstanceConfigs[{position}].InstanceType", at(each, "InstanceType")) for position, each in enumerate(configs)
    ]
    for path, value in places:
        name = text(value)
        if name is not None:
            yield path, name
