"""Errors of this pod's Neuron devices, by the counters that the driver keeps in sysfs.

The runtime of a failed device ends its process like any other failure; the counters tell a broken device from a broken
program. Not read: hw_collectives_error, which another node or a hang of the program causes too. Counters:
aws-neuron/aws-neuron-sdk:tools/neuron-sys-tools/neuron-sysfs-user-guide.rst and neuron-runtime/nrt-troubleshoot.rst
@81ce03a; aws-neuron/aws-neuron-driver:neuron_sysfs_metrics.c@fca19f7.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

SYSFS = Path("/sys/devices/virtual/neuron_device")
DEV = Path("/dev")
OF_A_DEVICE = ("mem_ecc_uncorrected", "mem_ecc_repairable_uncorrected", "sram_ecc_uncorrected")
OF_A_CORE = ("hw_error", "hw_hbm_ue_error", "hw_nc_ue_error", "hw_dma_abort_error", "hw_repairable_hbm_ue_error")
Counters = Mapping[str, Mapping[str, int]]
"""By device, then by counter."""


def read(sysfs: Path = SYSFS, dev: Path = DEV) -> Counters:
    """The counters of the devices that this container has: sysfs shows all of the node."""
    own = [entry.name for entry in dev.iterdir() if re.fullmatch(r"neuron\d+", entry.name)]
    return {name: _counters(sysfs / name) for name in sorted(own) if (sysfs / name).is_dir()}


def new_errors(before: Counters, after: Counters) -> list[str]:
    """What has gone wrong in between, in words; nothing for devices without a change."""
    found = [f"{device} is gone" for device in before if device not in after]
    for device, counters in after.items():
        earlier = before.get(device, {})
        found += [
            f"{device}: {name} was {earlier[name]}, is {count}"
            for name, count in counters.items()
            if count > earlier.get(name, count)
        ]
    return found


def _counters(device: Path) -> dict[str, int]:
    paths = [device / "stats" / "hardware" / name for name in OF_A_DEVICE]
    paths += [path for name in OF_A_CORE for path in device.glob(f"neuron_core*/stats/status/{name}/total")]
    found = {}
    for path in paths:
        try:
            found[str(path.relative_to(device))] = int(path.read_text())
        except (OSError, ValueError):
            continue  # this driver has no such counter
    return found
