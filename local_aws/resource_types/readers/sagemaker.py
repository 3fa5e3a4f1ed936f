"""HyperPod clusters: DescribeCluster calls members of a group otherwise than a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.resource_types.reader import ResourceReader

GROUPS, KUBERNETES, DESIRED = "InstanceGroups", "KubernetesConfig", "Desired"
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
        return super().to_property(name, [_as_written(group) for group in value] if name == GROUPS else value)


def _as_written(group: Mapping[str, Any]) -> dict[str, Any]:
    """The group as a template has it, without what only the service sets."""
    written = {RENAMED.get(name, name): value for name, value in group.items() if name not in RETURNED_ONLY}
    if KUBERNETES in written:
        desired = written[KUBERNETES].items()
        written[KUBERNETES] = {name[len(DESIRED) :]: value for name, value in desired if name.startswith(DESIRED)}
    return written
