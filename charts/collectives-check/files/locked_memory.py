"""How much memory this container may lock (RLIMIT_MEMLOCK, ``ulimit -l``): EFA registers buffers as locked memory."""

from __future__ import annotations

import resource

EFA_ENDPOINT_BYTES = 110 * 1024 * 1024
"""What libfabric's EFA provider registers for one endpoint: bottlerocket-os/bottlerocket-core-kit#141."""


def soft_limit() -> int:
    """Bytes; resource.RLIM_INFINITY for no limit."""
    return resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]


def describe(limit: int) -> str:
    """The limit as ``ulimit -l`` means it."""
    return "unlimited" if limit == resource.RLIM_INFINITY else f"{limit // 1024} KiB"


def locked_memory_line(limit: int) -> str:
    """The line that each pod prints when it starts."""
    return f"RLIMIT_MEMLOCK (ulimit -l): {describe(limit)}"


def advice(limit: int) -> str:
    """What to do where the limit is below what one EFA endpoint registers; empty where it is not."""
    if limit == resource.RLIM_INFINITY or limit >= EFA_ENDPOINT_BYTES:
        return ""
    return (
        f"This container may lock {describe(limit)} of memory, and an EFA endpoint registers about "
        f"{EFA_ENDPOINT_BYTES // 1024} KiB: with EFA, nccom-test then ends with -12 (Cannot allocate memory). The node "
        "sets the limit, in spec.containerd.baseRuntimeSpec of its NodeConfig: `neuron-cluster deploy` writes it for "
        "node groups with EFA; nodes started before keep theirs until they are replaced."
    )
