"""Neuron devices as a generic resource of Slurm: what gres.conf and the setting ``Gres`` of a node hold."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.instance_type import InstanceType

NAME = "gpu"
"""Slurm sets indexes (``SLURM_STEP_GPUS``) and offers ``--gpus`` for this name alone."""
NO_VARIABLES = "no_gpu_env"
"""Otherwise Slurm sets ``CUDA_VISIBLE_DEVICES`` and its kin."""


class GresRecord(Struct, frozen=True, kw_only=True):
    """The Neuron devices of a node, all of one chip.

    The devices are listed and not detected: the manual of gres.conf excludes ``AutoDetect`` for cloud nodes, and a node
    whose devices are not those of its record is drained. Sources: SchedMD/slurm@284c3b9 doc/man/man5/gres.conf.5;
    https://docs.aws.amazon.com/pcs/latest/userguide/gres-custom-settings.html
    """

    chip: str
    devices: int
    device_folder: str = "/dev"

    @property
    def gres(self) -> str:
        """The setting ``Gres`` of the node: ``gpu:trainium2:16``."""
        return f"{NAME}:{self.chip}:{self.devices}"

    def parameters(self) -> dict[str, str]:
        """The record by parameter, as ``GresCustomSettings`` of a PCS compute node group holds it."""
        numbers = "0" if self.devices == 1 else f"[0-{self.devices - 1}]"
        return {"Name": NAME, "Type": self.chip, "File": f"{self.device_folder}/neuron{numbers}", "Flags": NO_VARIABLES}

    def line(self, node: str) -> str:
        """The record as a line of gres.conf for this node or hostlist. PCS adds ``NodeName`` itself."""
        words = {"NodeName": node, **self.parameters()}
        return " ".join(f"{name}={value}" for name, value in words.items())


def gres_of(row: InstanceType, device_folder: str = "/dev") -> GresRecord | None:
    """The record of an instance type; None for one without Neuron devices."""
    if row.chip is None or not row.neuron_devices:
        return None
    return GresRecord(chip=row.chip, devices=row.neuron_devices, device_folder=device_folder)
