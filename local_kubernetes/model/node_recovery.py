"""A service replaces the failed instances of a node group. Its times are rows of ``controller_timings``."""

from __future__ import annotations

from msgspec import Struct


class NodeRecovery(Struct, frozen=True, kw_only=True):
    """The service that replaces instances, and when."""

    service: str
    after: str
    """Row with the time from the failure of an instance until the service has terminated it."""
    replaces_failed_devices: bool = False
    """Whether a device error has the same consequence, without a drain."""
    checks: str | None = None
    """Row with the time of checks that a new node passes before pods are scheduled to it."""


EC2_AUTO_SCALING = NodeRecovery(service="EC2 Auto Scaling", after="instance_replacement")
