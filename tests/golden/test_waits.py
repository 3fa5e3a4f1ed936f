"""Every wait that a template adds with DependsOn, and that no reference implies, has a reason.

A wait between two resources of a stack makes a deploy longer by the time of the first one (`plan --time`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from local_aws.cloudformation.references import written_references
from local_aws.cloudformation.template import Template, as_template

GOLDENS = Path(__file__).parent
CHART, OBJECT, PATCH = (f"Custom::AWSCDK-EKS-{name}" for name in ("HelmChart", "KubernetesResource", "KubernetesPatch"))
LOG_GROUP = "Custom::NeuronClusterLogGroup"
REASONS: Mapping[tuple[str, str], str] = {
    ("AWS::EKS::Cluster", LOG_GROUP): "EKS would make the group itself, and write the first entries without its key",
    ("AWS::Lambda::Function", "AWS::IAM::Policy"): "CDK adds it to the function that calls that of kubectl",
    ("AWS::SSM::Parameter", "AWS::EKS::AccessEntry"): "CDK's barrier: kubectl has no access before the entry",
    ("AWS::ECR::PullThroughCacheRule", "AWS::ECR::RepositoryCreationTemplate"): (
        "the first pull after the rule makes a repository, with the settings of the template"
    ),
    ("AWS::EC2::NatGateway", "AWS::EC2::Route"): "without a route to the internet gateway it has none; deleted first",
    ("AWS::EC2::Route", "AWS::EC2::VPCGatewayAttachment"): "EC2 takes no route to a gateway that is not attached",
    ("AWS::Logs::Delivery", "AWS::Logs::Delivery"): "two at once on a destination are a ConflictException",
    ("AWS::Logs::DeliveryDestination", "AWS::Logs::LogGroup"): "it names the group by a text, as its ARN without :*",
    (CHART, "AWS::EKS::Addon"): "helm waits for pods, which need CoreDNS",
    (CHART, "AWS::EKS::PodIdentityAssociation"): "pods that start before have no credentials",
    (CHART, CHART): "objects of the second one are of types that the first one defines",
    (CHART, OBJECT): "helm makes no namespace with labels",
    (PATCH, OBJECT): "deleted first: Kueue drains a queue through its LocalQueues",
    (OBJECT, "AWS::EKS::Addon"): "the driver or webhook that the object is for runs then, and is deleted after it",
    (OBJECT, CHART): "the chart defines the type, or its webhooks reject the object until its pods respond",
    (OBJECT, PATCH): "pods of the namespace are checked at its level of Pod Security",
    (OBJECT, OBJECT): "the namespace or the volume of the object",
    ("AWS::FSx::DataRepositoryAssociation", "AWS::S3::BucketPolicy"): "FSx tests its access to the bucket",
    ("AWS::SageMaker::Cluster", "Custom::NeuronClusterLifeCycleScript"): "each new node runs the script",
    (
        "AWS::SageMaker::ClusterSchedulerConfig",
        "AWS::EKS::Addon",
    ): "it becomes objects of Kueue, which the add-on brings",
    ("AWS::SageMaker::ComputeQuota", "AWS::EKS::Addon"): "likewise",
    (OBJECT, "AWS::SageMaker::ComputeQuota"): "HyperPod makes the namespace of a team with its compute quota",
}
"""Why the first type waits for the second one."""


def waits(template: Template) -> Iterator[tuple[str, str]]:
    """Types of the two resources of each DependsOn that nothing else in the template implies."""
    resources = template.resources
    after = {
        name: {found.name for found in written_references(each.properties) if found.name in resources}
        for name, each in resources.items()
    }
    added = [(name, need) for name, each in resources.items() for need in each.depends_on if need not in after[name]]
    edges = {name: {*needs, *resources[name].depends_on} for name, needs in after.items()}
    for name, need in added:
        if not is_reached(edges, name, need):
            yield resources[name].type, resources[need].type


def is_reached(edges: Mapping[str, set[str]], start: str, goal: str) -> bool:
    """Whether there is another way than the edge itself."""
    seen: set[str] = set()
    waiting = [each for each in edges[start] if each != goal]
    while waiting:
        name = waiting.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            waiting += edges[name]
    return False


def test_every_wait_that_no_reference_implies_has_a_reason() -> None:
    documents = (json.loads(file.read_text(encoding="utf-8")) for file in GOLDENS.glob("*/*.template.json"))
    assert {pair for document in documents for pair in waits(as_template(document))} == REASONS.keys()


def test_a_wait_that_a_reference_implies_is_none() -> None:
    document = {
        "Resources": {
            "A": {"Type": "T::A"},
            "B": {"Type": "T::B", "Properties": {"Of": {"Ref": "A"}}, "DependsOn": "A"},
            "C": {"Type": "T::C", "Properties": {"Of": {"Ref": "B"}}, "DependsOn": ["A", "D"]},
            "D": {"Type": "T::D"},
        }
    }
    assert list(waits(as_template(document))) == [("T::C", "T::D")]
