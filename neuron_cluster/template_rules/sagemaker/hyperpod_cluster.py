"""The instance groups of a HyperPod cluster, its orchestrator, and the resources that it refers to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given, is_unknown, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

CLUSTER = "AWS::SageMaker::Cluster"
EKS, SLURM = "Eks", "Slurm"
SCHEME = "s3://"


class InstanceGroup(Struct, frozen=True):
    """One group of ``InstanceGroups``; ``path`` is its place in the cluster."""

    path: str
    properties: Any

    def at(self, *path: str | int) -> Any:
        """The value at a path of the group, as ``property_tree.at`` returns it."""
        return at(self.properties, *path)

    @property
    def label(self) -> str:
        """Its name; its place where the name is unknown."""
        return text(self.at("InstanceGroupName")) or self.path

    @property
    def is_on_spot(self) -> bool:
        """Whether it certainly has Spot capacity; the options are an empty mapping."""
        return is_given(self.at("CapacityRequirements", "Spot"))


def groups_of(cluster: TemplateResource) -> list[InstanceGroup]:
    """Its groups; empty where they are unknown."""
    listed = items(at(cluster.properties, "InstanceGroups"))
    return [InstanceGroup(f"InstanceGroups[{position}]", group) for position, group in enumerate(listed)]


def has_orchestrator(cluster: TemplateResource, name: str) -> bool:
    """Whether ``Eks`` or ``Slurm`` is certainly its orchestrator."""
    return is_given(at(cluster.properties, "Orchestrator", name))


def is_continuous(cluster: TemplateResource) -> bool | None:
    """Whether ``NodeProvisioningMode`` is Continuous; None where it is unknown."""
    mode = at(cluster.properties, "NodeProvisioningMode")
    return None if is_unknown(mode) else mode == "Continuous"


def security_groups_of(cluster: TemplateResource, look_up: LookUp) -> Iterator[tuple[str, TemplateResource]]:
    """Path and resource of each attached security group that is in the templates, each group once."""
    yield from _in_vpc_configs(cluster, "SecurityGroupIds", look_up)


def subnets_of(cluster: TemplateResource, look_up: LookUp) -> Iterator[tuple[str, TemplateResource]]:
    """Path and resource of each subnet that is in the templates, each subnet once."""
    yield from _in_vpc_configs(cluster, "Subnets", look_up)


def _in_vpc_configs(cluster: TemplateResource, key: str, look_up: LookUp) -> Iterator[tuple[str, TemplateResource]]:
    configs = [("VpcConfig", at(cluster.properties, "VpcConfig"))]
    configs += [(f"{group.path}.OverrideVpcConfig", group.at("OverrideVpcConfig")) for group in groups_of(cluster)]
    found: list[TemplateResource] = []
    for path, config in configs:
        for position, value in enumerate(items(at(config, key))):
            resource = look_up.referred(value)
            if resource is not None and not any(resource is other for other in found):
                found.append(resource)
                yield f"{path}.{key}[{position}]", resource


def script_bucket(cluster: TemplateResource, position: int, look_up: LookUp) -> TemplateResource | None:
    """The bucket of a group's ``SourceS3Uri``; None for one that the URI does not refer to as a resource of its stack.

    A URI is a text with a reference inside, so that its resolved value is unknown: it is read as it is written.
    """
    uri = at(cluster.body, "Properties", "InstanceGroups", position, "LifeCycleConfig", "SourceS3Uri")
    separator, parts = (*items(at(uri, "Fn::Join")), None, None)[:2]
    named = {at(part, "Ref") for part in items(parts) if not isinstance(part, str)} if separator == "" else set()
    substituted = text(at(uri, "Fn::Sub"))
    if substituted is not None and substituted.startswith(f"{SCHEME}${{"):
        named.add(substituted.removeprefix(f"{SCHEME}${{").partition("}")[0])
    buckets = look_up.resources("AWS::S3::Bucket", stack=cluster.stack)
    return next((bucket for bucket in buckets if bucket.logical_id in named), None)
