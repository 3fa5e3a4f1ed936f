"""vCPUs that an environment needs of one quota of EC2."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class VcpuUse(Struct, frozen=True):
    """Node groups and workstations whose instances count against one quota, summed."""

    code: str
    """Quota code in Service Quotas, ``L-2C3B7624``; empty where the catalog does not have the quota of the type."""
    name: str
    """``Running On-Demand Trn instances``; the instance types where the quota is not known."""
    path: KeyPath
    """The key of the node group or workstation that needs most of it."""
    machines: tuple[str, ...]
    """Each node group and workstation in words: ``trn1 (16 x trn1.32xlarge)``."""
    desired: int
    """vCPUs that the deploy starts."""
    maximum: int
    """vCPUs at the largest sizes, instances in reservations included."""
    largest_machine: int
    """vCPUs of the largest single instance that is in no reservation: with less its group starts no node."""
