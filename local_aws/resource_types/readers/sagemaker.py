"""HyperPod clusters: DescribeCluster calls members of a group otherwise than a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.resource_types.reader import ResourceReader

AUTO_SCALING, GROUPS, CURRENT, DESIRED = "AutoScaling", "InstanceGroups", "Current", "Desired"
TWO_STATES = ("AutoPatchConfig", "InstanceRequirements", "KubernetesConfig")
"""Members of a group whose parts DescribeCluster has twice: as they are, and as they are to be."""
RENAMED = {
    "TargetCount": "InstanceCount",
    "MinCount": "MinInstanceCount",
    "DesiredImageId": "ImageId",
    "DesiredImageReleaseVersion": "ImageReleaseVersion",
}
"""The property of a group by member of DescribeCluster."""
RETURNED_ONLY = frozenset(
    {
        "ActiveOperations", "ActiveSoftwareUpdateConfig", "CurrentCount", "CurrentImageId",
        "CurrentImageReleaseVersion", "ImageVersionStatus", "InstanceTypeDetails", "SoftwareUpdateStatus", "Status",
        "TargetStateCount", "TrainingPlanStatus",
    }
)  # fmt: skip


class HyperPodClusterReader(ResourceReader):
    type_name = "AWS::SageMaker::Cluster"

    def to_property(self, name: str, value: Any) -> Any:
        if name == AUTO_SCALING and value is not None:
            value = {member: each for member, each in value.items() if member not in RETURNED_ONLY}
        return super().to_property(name, [_as_written(group) for group in value] if name == GROUPS else value)


def _as_written(group: Mapping[str, Any]) -> dict[str, Any]:
    """The group as a template has it, without what only the service sets."""
    written = {RENAMED.get(name, name): value for name, value in group.items() if name not in RETURNED_ONLY}
    return {name: _desired(value) if name in TWO_STATES else value for name, value in written.items()}


def _desired(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(DESIRED): part for name, part in value.items() if not name.startswith(CURRENT)}
