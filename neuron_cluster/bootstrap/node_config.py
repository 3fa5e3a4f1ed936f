"""NodeConfig, with which nodeadm sets up a node, as a closed model: a field unknown to nodeadm cannot be written.

Source of the fields: awslabs/amazon-eks-ami@81fec2e, nodeadm/doc/api.md (``node.eks.aws/v1alpha1``). What identifies
the cluster (``spec.cluster``) is left to the service, whose own NodeConfig comes with that of a managed node group.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, to_builtins

LARGEST_EXACT = 2**53
"""Every whole number up to here is a 64-bit float too (IEEE 754 binary64)."""


class NodeConfigPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """Base of all parts. Keys are nodeadm's own (camel case); what is unset is left to nodeadm."""


class LocalStorage(NodeConfigPart, frozen=True, kw_only=True):
    """``spec.instance.localStorage``: the instance's own NVMe disks."""

    strategy: Literal["RAID0", "RAID10", "Mount"]
    mount_path: str | UnsetType = UNSET
    disabled_mounts: list[Literal["Containerd", "PodLogs", "SOCI"]] | UnsetType = UNSET


FeatureGate = Literal["InstanceIdNodeName", "FastImagePull"]


class NetworkOptions(NodeConfigPart, frozen=True, kw_only=True):
    """``spec.instance.network``."""

    nameservers: list[str] | UnsetType = UNSET
    domains: list[str] | UnsetType = UNSET


class InstanceOptions(NodeConfigPart, frozen=True, kw_only=True):
    """``spec.instance``: operating system and devices. ``environment`` maps a systemd service to its variables."""

    local_storage: LocalStorage | UnsetType = UNSET
    environment: dict[str, dict[str, str]] | UnsetType = UNSET
    network: NetworkOptions | UnsetType = UNSET


class KubeletOptions(NodeConfigPart, frozen=True, kw_only=True):
    """``spec.kubelet``. ``config`` is a KubeletConfiguration, merged with nodeadm's."""

    config: dict[str, Any] | UnsetType = UNSET
    flags: list[str] | UnsetType = UNSET
    max_pods_expression: str | UnsetType = UNSET


class ContainerdOptions(NodeConfigPart, frozen=True, kw_only=True):
    """``spec.containerd``. ``config`` is TOML, merged with nodeadm's."""

    config: str | UnsetType = UNSET
    base_runtime_spec: dict[str, Any] | UnsetType = UNSET


class NodeConfigSpec(NodeConfigPart, frozen=True, kw_only=True):
    instance: InstanceOptions | UnsetType = UNSET
    kubelet: KubeletOptions | UnsetType = UNSET
    containerd: ContainerdOptions | UnsetType = UNSET
    feature_gates: dict[FeatureGate, bool] | UnsetType = UNSET


class NodeConfig(NodeConfigPart, frozen=True, kw_only=True):
    """One NodeConfig; nodeadm merges several in the order in which the user data holds them."""

    api_version: Literal["node.eks.aws/v1alpha1"] = "node.eks.aws/v1alpha1"
    kind: Literal["NodeConfig"] = "NodeConfig"
    spec: NodeConfigSpec

    def text(self) -> str:
        """As user data holds it: JSON, which is YAML too."""
        return json.dumps(to_builtins(self), indent=2) + "\n"


def rlimits(limits: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """``baseRuntimeSpec`` with soft and hard limits (``process.rlimits`` of the OCI runtime specification).

    Raises ``ValueError`` for a number that nodeadm would change: it reads all numbers as 64-bit floats when it merges.
    RLIM_INFINITY becomes 18446744073709552000, which containerd does not read, and no container starts.
    """
    for name, pair in limits.items():
        if any(not 0 < number <= LARGEST_EXACT for number in pair):
            raise ValueError(f"{name} {pair} is not between 1 and {LARGEST_EXACT}")
    return {
        "process": {"rlimits": [{"type": name, "soft": soft, "hard": hard} for name, (soft, hard) in limits.items()]}
    }
