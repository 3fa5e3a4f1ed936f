"""Settings of nodeadm beyond the cluster: local disks, and the resource limits of containers on nodes with EFA."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from neuron_cluster.bootstrap.node_config import (
    ContainerdOptions,
    FeatureGate,
    InstanceOptions,
    LocalStorage,
    NodeConfig,
    NodeConfigSpec,
    rlimits,
)
from neuron_cluster.catalog.catalog import Catalog


def build_node_config(
    catalog: Catalog, *, joins_disks: bool, has_efa: bool, pulls_in_parallel: bool = False
) -> str | None:
    """One NodeConfig as text; None where nodeadm's defaults are right.

    Local disks become one RAID0 with kubelet, containerd and pod logs on it. EFA's provider registers more memory than
    the 8 MiB that containers may lock by default, and CAP_IPC_LOCK does not help a container that runs as a user.
    """
    if not joins_disks and not has_efa and not pulls_in_parallel:
        return None
    storage = InstanceOptions(local_storage=LocalStorage(strategy="RAID0")) if joins_disks else UNSET
    containers = ContainerdOptions(base_runtime_spec=_limits(catalog)) if has_efa else UNSET
    gates: dict[FeatureGate, bool] | UnsetType = {"FastImagePull": True} if pulls_in_parallel else UNSET
    return NodeConfig(spec=NodeConfigSpec(instance=storage, containerd=containers, feature_gates=gates)).text()


def _limits(catalog: Catalog) -> dict[str, object]:
    """nodeadm replaces the whole list of its default: its open files are repeated."""
    files, memory = catalog.limits["nodeadm_open_files"], catalog.limits["efa_locked_memory"].require_maximum()
    return rlimits(
        {"RLIMIT_NOFILE": (files.require_minimum(), files.require_maximum()), "RLIMIT_MEMLOCK": (memory, memory)}
    )
