"""Whom lifecycle hooks notify: moto returns a role and a queue of its own. No notification is sent."""

from __future__ import annotations

from typing import Any

from moto.autoscaling.responses import AutoScalingResponse
from moto.core.utils import camelcase_to_underscores

from local_aws.services.overrides import override

MEMBERS = ("NotificationMetadata", "NotificationTargetARN", "RoleARN")


@override(AutoScalingResponse, "put_lifecycle_hook")
def put_lifecycle_hook(original: Any, response: Any) -> Any:
    result = original()
    group, name = response._get_param("AutoScalingGroupName"), response._get_param("LifecycleHookName")  # noqa: SLF001 - as moto does
    hook = response.autoscaling_backend.lifecycle_hooks[f"{group}_{name}"]
    for member in MEMBERS:
        setattr(hook, camelcase_to_underscores(member), response._get_param(member))  # noqa: SLF001 - as moto does
    return result
