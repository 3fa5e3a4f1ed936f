from __future__ import annotations

import re

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given, is_true, items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, InstanceGroup, groups_of

FILE_SYSTEMS = ("FsxLustreConfig", "FsxOpenZfsConfig")
MOUNT_PATH = re.compile(r"(/[a-zA-Z0-9._-]+)+")


class StorageConfigNotAccepted(TemplateRule):
    """HyperPod accepts the volumes and file systems of a group (`InstanceStorageConfigs`).

    For the root volume a group sets the key and no size; paths of mounts have no slash at the end and no two together.
    """

    id = "E8931"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "cfn-lint 1.58.0: AWS::SageMaker::Cluster ClusterInstanceStorageConfigs, ClusterEbsVolumeConfig, MountPath"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["hyperpod_storage_configs"].require_maximum()
        for group in groups_of(context.resource):
            configs = items(group.at("InstanceStorageConfigs"))
            if len(configs) > maximum:
                yield Violation(
                    f"{group.path}.InstanceStorageConfigs",
                    f"lists {len(configs)} configurations; a group has {maximum} at most",
                    f"keep the first {maximum}",
                )
            for position, _ in enumerate(configs):
                yield from _of_root_volume(group, position)
                yield from _of_mount_path(group, position)


def _of_root_volume(group: InstanceGroup, position: int) -> Violations:
    path = f"{group.path}.InstanceStorageConfigs[{position}].EbsVolumeConfig"
    volume = group.at("InstanceStorageConfigs", position, "EbsVolumeConfig")
    if not is_true(at(volume, "RootVolume")):
        return
    if is_given(at(volume, "VolumeSizeInGB")):
        yield Violation(
            f"{path}.VolumeSizeInGB",
            "is set for the root volume, which has a fixed size",
            "remove VolumeSizeInGB, or write a second EbsVolumeConfig with it and without RootVolume",
        )
    if at(volume, "VolumeKmsKeyId") is None:
        yield Violation(
            f"{path}.VolumeKmsKeyId",
            "is not set for the root volume, of which nothing else can be set",
            "write VolumeKmsKeyId, or remove the configuration from InstanceStorageConfigs",
        )


def _of_mount_path(group: InstanceGroup, position: int) -> Violations:
    for kind in FILE_SYSTEMS:
        given = text(group.at("InstanceStorageConfigs", position, kind, "MountPath"))
        if given is not None and not MOUNT_PATH.fullmatch(given):
            yield Violation(
                f"{group.path}.InstanceStorageConfigs[{position}].{kind}.MountPath",
                f"is {given}; it must be an absolute path of letters, digits, ., _ and -, without a slash at the end",
                "write a MountPath such as /fsx",
            )
