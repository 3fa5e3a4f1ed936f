"""Neuron devices as generic resources (GRES) of Slurm: what gres.conf and the setting ``Gres`` of a node have."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.instance_type import InstanceType

DEVICE_FOLDER = "/dev"
GRES_NAME = "gpu"
"""With another name than gpu, jobs have no --gpus options and no index of their devices (``SLURM_STEP_GPUS``).

Source: SchedMD/slurm@284c3b9: src/plugins/gpu/nrt, which names Neuron devices so too.
"""
FLAGS = "no_gpu_env"
"""Slurm sets CUDA_VISIBLE_DEVICES and the like without it. Source: the same repository, doc/man/man5/gres.conf.5."""


class GresPlan(Struct, frozen=True):
    """The devices of one instance. A record of gres.conf that differs from the hardware drains the node.

    The devices are listed and not detected: the manual of gres.conf excludes ``AutoDetect`` for cloud nodes. Sources:
    SchedMD/slurm@284c3b9 doc/man/man5/gres.conf.5;
    https://docs.aws.amazon.com/pcs/latest/userguide/gres-custom-settings.html
    """

    chip: str
    count: int

    @property
    def requested(self) -> str:
        """Value of the setting Gres: ``gpu:trainium:16``."""
        return f"{GRES_NAME}:{self.chip}:{self.count}"

    @property
    def record(self) -> dict[str, str]:
        """The record of gres.conf, without the NodeName that PCS adds."""
        return self._record(DEVICE_FOLDER)

    def line(self, node: str, device_folder: str = DEVICE_FOLDER) -> str:
        """The record as a line of gres.conf for this node or hostlist."""
        return " ".join(f"{name}={value}" for name, value in {"NodeName": node, **self._record(device_folder)}.items())

    def _record(self, device_folder: str) -> dict[str, str]:
        devices = "0" if self.count == 1 else f"[0-{self.count - 1}]"
        return {
            "Name": GRES_NAME,
            "Type": self.chip,
            "Count": str(self.count),
            "File": f"{device_folder}/neuron{devices}",
            "Flags": FLAGS,
        }


def gres_of(row: InstanceType) -> GresPlan | None:
    """Returns the Gres; None without Neuron devices. Raises ``LookupError`` where their number is not known."""
    if row.chip is None:
        return None
    if row.neuron_devices is None:  # rule E3018 and those of announced types let none through
        raise LookupError(f"the catalog does not know the Neuron devices of {row.name}")
    return GresPlan(row.chip, row.neuron_devices)
