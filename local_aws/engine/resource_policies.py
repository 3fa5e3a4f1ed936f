"""CreationPolicy and UpdatePolicy of a resource, with their functions resolved.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-creationpolicy.html,
https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.resolver import Resolver
from local_aws.cloudformation.template import ResourceDefinition
from local_aws.cloudformation.values import is_known

GROUP = "AWS::AutoScaling::AutoScalingGroup"
WAIT_CONDITION = "AWS::CloudFormation::WaitCondition"
SIGNALED = frozenset({GROUP, WAIT_CONDITION, "AWS::EC2::Instance"})
"""Types that wait for signals; on others a creation policy has no effect (aws-cloudformation/cfn-lint#3598)."""
REPLACING_INSTANCES = frozenset({"LaunchConfigurationName", "LaunchTemplate", "PlacementGroup", "VPCZoneIdentifier"})
"""Properties of a group whose change replaces its instances, or the group, as the update policy says."""
SIZES = frozenset({"DesiredCapacity", "MaxSize", "MinSize"})
DURATION = re.compile(r"PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?")

Duration = Annotated[str, Meta(pattern=f"^{DURATION.pattern}$")]
Count = Annotated[int, Meta(ge=0)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Form = TypeVar("Form")


class _Part(Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """A structure of a policy."""


class ResourceSignal(_Part, frozen=True):
    count: Count = 1
    timeout: Duration = "PT5M"


class _GroupCreation(_Part, frozen=True):
    min_successful_instances_percent: Percent = 100


class CreationPolicy(_Part, frozen=True):
    resource_signal: ResourceSignal | None = None
    auto_scaling_creation_policy: _GroupCreation = _GroupCreation()


def creation_policy(definition: ResourceDefinition, resolver: Resolver) -> CreationPolicy:
    """An empty one for a type that has none. Raises TemplateError."""
    given = definition.creation_policy if definition.type in SIGNALED else {}
    return _read(CreationPolicy, "CreationPolicy", definition, resolver, given)


class RollingUpdate(_Part, frozen=True):
    """Nothing pauses, and no process of the group could disturb the update: some members have no effect."""

    max_batch_size: Annotated[int, Meta(ge=1)] = 1
    min_active_instances_percent: Percent = 100
    min_instances_in_service: Count = 0
    min_successful_instances_percent: Percent = 100
    pause_time: Duration = "PT5M"
    suspend_processes: tuple[str, ...] = ()
    wait_on_resource_signals: bool = False


class _ReplacingUpdate(_Part, frozen=True):
    will_replace: bool = False


class _ScheduledAction(_Part, frozen=True):
    ignore_unmodified_group_size_properties: bool = False


class UpdatePolicy(_Part, frozen=True):
    auto_scaling_replacing_update: _ReplacingUpdate = _ReplacingUpdate()
    auto_scaling_rolling_update: RollingUpdate | None = None
    auto_scaling_scheduled_action: _ScheduledAction = _ScheduledAction()

    @property
    def replaces_group(self) -> bool:
        return self.auto_scaling_replacing_update.will_replace

    @property
    def ignores_sizes(self) -> bool:
        return self.auto_scaling_scheduled_action.ignore_unmodified_group_size_properties


def update_policy(definition: ResourceDefinition, resolver: Resolver) -> UpdatePolicy:
    """Returns the policy of a group; for another type an empty one. Raises TemplateError."""
    policy = _read(UpdatePolicy, "UpdatePolicy", definition, resolver, definition.update_policy)
    return policy if definition.type == GROUP else UpdatePolicy()


def seconds_of(duration: str) -> timedelta:
    """Returns the time of an ISO 8601 duration, ``PT1H30M``."""
    found = DURATION.fullmatch(duration)
    hours, minutes, seconds = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


def _read(
    form: type[Form], name: str, definition: ResourceDefinition, resolver: Resolver, given: Mapping[str, Any]
) -> Form:
    resolved = resolver.resolve(given)
    try:
        return msgspec.convert(resolved if is_known(resolved) else {}, form, strict=False)
    except msgspec.ValidationError as error:
        raise TemplateError("policy_form", resource=definition.logical_id, name=name, problem=error) from error
