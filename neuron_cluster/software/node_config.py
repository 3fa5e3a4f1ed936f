"""NodeConfig, with which nodeadm sets up a node, as a closed model: a field unknown to nodeadm cannot be written.

Source of the fields: awslabs/amazon-eks-ami@81fec2e, nodeadm/doc/api.md (``node.eks.aws/v1alpha1``). What says which
cluster it is (``spec.cluster``) is left to EKS, which adds a NodeConfig of its own to that of a managed node group.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class NodeConfigPart(BaseModel):
    """Base of all parts. Keys are nodeadm's own (camel case); what is None is left to nodeadm."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, populate_by_name=True, alias_generator=to_camel, defer_build=True
    )


class LocalStorage(NodeConfigPart):
    """``spec.instance.localStorage``: the instance's own NVMe disks."""

    strategy: Literal["RAID0", "RAID10", "Mount"]
    mount_path: str | None = None
    disabled_mounts: list[Literal["Containerd", "PodLogs", "SOCI"]] | None = None


class NetworkOptions(NodeConfigPart):
    """``spec.instance.network``."""

    nameservers: list[str] | None = None
    domains: list[str] | None = None


class InstanceOptions(NodeConfigPart):
    """``spec.instance``: operating system and devices. ``environment`` maps a systemd service to its variables."""

    local_storage: LocalStorage | None = None
    environment: dict[str, dict[str, str]] | None = None
    network: NetworkOptions | None = None


class KubeletOptions(NodeConfigPart):
    """``spec.kubelet``. ``config`` is a KubeletConfiguration, merged with nodeadm's."""

    config: dict[str, Any] | None = None
    flags: list[str] | None = None
    max_pods_expression: str | None = None


class ContainerdOptions(NodeConfigPart):
    """``spec.containerd``. ``config`` is TOML, merged with nodeadm's."""

    config: str | None = None
    base_runtime_spec: dict[str, Any] | None = None


class NodeConfigSpec(NodeConfigPart):
    instance: InstanceOptions | None = None
    kubelet: KubeletOptions | None = None
    containerd: ContainerdOptions | None = None
    feature_gates: dict[Literal["InstanceIdNodeName", "FastImagePull"], bool] | None = None


class NodeConfig(NodeConfigPart):
    """One NodeConfig; nodeadm merges several in the order in which the user data holds them."""

    api_version: Literal["node.eks.aws/v1alpha1"] = Field(default="node.eks.aws/v1alpha1", alias="apiVersion")
    kind: Literal["NodeConfig"] = "NodeConfig"
    spec: NodeConfigSpec

    def text(self) -> str:
        """As user data holds it: JSON, which is YAML too."""
        return self.model_dump_json(by_alias=True, exclude_none=True, indent=2) + "\n"


def local_disks_as_raid0() -> NodeConfig:
    """All local disks as one RAID0 below ``/mnt/k8s-disks/``, with kubelet, containerd and pod logs moved onto it."""
    return NodeConfig(spec=NodeConfigSpec(instance=InstanceOptions(local_storage=LocalStorage(strategy="RAID0"))))
