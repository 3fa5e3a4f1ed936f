"""Resources of a deployed environment that their handlers change with calls of the API, as a person would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext, ResourceProvider
from local_aws.engine.stack_resource import StackResource

from .conftest import Environment
from .type_changes import CHANGES, changed

ENVIRONMENTS = ("storage-kinds", "slurm-storage", "private-trn1", "train-trn1")
"""They have every type that any environment has."""
NOT_CHANGED = {
    "AWS::EC2::PlacementGroup": "CloudFormation updates no tags of it, and EC2 deletes none with instances",
    "AWS::EC2::VPCGatewayAttachment": "EC2 detaches no gateway of a VPC with public addresses",
}
"""Types that are not changed here, with the reason."""
NO_PROPERTY_TO_UPDATE = frozenset(
    {
        "AWS::Backup::BackupSelection",
        "AWS::EC2::Route",
        "AWS::EC2::SubnetRouteTableAssociation",
        "AWS::ECR::PullThroughCacheRule",
        "AWS::EFS::MountTarget",
        "AWS::IAM::InstanceProfile",
        "AWS::Lambda::LayerVersion",
        "AWS::S3Files::MountTarget",
        *NOT_CHANGED,
    }
)
"""Types of the environments without tags and without a property that can be updated alone."""


class Changeable:
    """One resource that its handler changes: with calls of the service's API, as a person would."""

    def __init__(self, environment: Environment, resource: StackResource, stack: Any) -> None:
        self.resource = resource
        self.address = f"{stack.name}/{resource.logical_id}"
        engine = environment.aws.engine.engine_context
        provider = engine.provider(resource.type)
        assert provider is not None
        self._provider: ResourceProvider = provider
        self._context: ResourceContext = stack.context(resource.logical_id, resource.type, {}, engine.endpoint)

    def update(self, old: Properties, new: Properties) -> None:
        self._provider.update(self._context, self.resource.resource, old, new)

    def delete(self) -> None:
        self._provider.delete(self._context, self.resource.resource, self.resource.properties)


def resources(environment: Environment) -> Iterator[Changeable]:
    for part in environment.plan.stacks:
        stack = environment.aws.engine.table.find(
            environment.plan.account, environment.plan.region, environment.plan.stack_name(part)
        )
        for resource in stack.resources.values() if stack is not None else ():
            yield Changeable(environment, resource, stack)


def with_other_tag(properties: Properties) -> dict[str, Any] | None:
    """The properties with another value of a tag; None without tags."""
    for name, value in properties.items():
        if not name.endswith("Tags"):
            continue
        if isinstance(value, Mapping) and value:
            return {**properties, name: {**value, next(iter(value)): "by hand"}}
        if isinstance(value, list) and value and "Value" in value[0]:
            return {**properties, name: [{**value[0], "Value": "by hand"}, *value[1:]]}
    return None


def change_of(each: Changeable, others: list[Changeable]) -> dict[str, Any] | None:
    """The properties after the change; None where the resource is deleted."""
    properties = each.resource.properties
    change = CHANGES.get(each.resource.type)
    if change is None:
        return with_other_tag(properties)
    another = next((other.resource.properties for other in others if differs(other, each, change)), {})
    return dict(changed(properties, change, another))


def differs(other: Changeable, each: Changeable, change: Mapping[str, Any]) -> bool:
    names = [name for name in change if name in each.resource.properties]
    return any(other.resource.properties.get(name) != each.resource.properties[name] for name in names)


def fits(each: Changeable) -> bool:
    """Whether the resource has what the change is about."""
    return all(name in each.resource.properties for name in CHANGES.get(each.resource.type, {})) or (
        each.resource.type in ("AWS::EKS::Addon", "AWS::EKS::AccessEntry")
    )
