"""What a pod claims of a node's devices (DRA)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class ClaimedDevices(Struct, frozen=True):
    """Devices of one class. ``count`` is None for all that a node has.

    ``unit`` is ``node`` where a device stands for a whole node of an UltraServer. ``instance_type`` is the one that
    the claim insists on, None for any.
    """

    device_class: str
    count: int | None
    unit: Literal["device", "node"] = "device"
    instance_type: str | None = None

    @property
    def words(self) -> str:
        many = "all" if self.count is None else str(self.count)
        of = f"device class {self.device_class}" if self.device_class else "no device class"
        return f"{many} {'whole node ' if self.unit == 'node' else ''}of {of}"


class DeviceClaim(Struct, frozen=True):
    """One claim. ``missing`` names the object that it is made from where that is not at hand; ``doubts`` are clauses
    about what of it is not judged."""

    name: str
    devices: tuple[ClaimedDevices, ...] = ()
    missing: str | None = None
    doubts: tuple[str, ...] = ()
