"""Neuron devices as generic resources (GRES) of Slurm."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

GRES_NAME = "gpu"
"""With another name than gpu, jobs have no --gpus options and no index of their devices.

Source: SchedMD/slurm@284c3b9: src/plugins/gpu/nrt, which names Neuron devices so too.
"""
FLAGS = "no_gpu_env"
"""Slurm sets CUDA_VISIBLE_DEVICES and the like without it. Source: the same repository, doc/man/man5/gres.conf.5."""


class GresPlan(Struct, frozen=True):
    """The devices of one instance. A record of gres.conf that differs from the hardware drains the node."""

    chip: str
    count: int

    @property
    def requested(self) -> str:
        """Value of the setting Gres: ``gpu:trainium:16``."""
        return f"{GRES_NAME}:{self.chip}:{self.count}"

    @property
    def record(self) -> Mapping[str, str]:
        """The record of gres.conf, without the NodeName that PCS adds."""
        devices = "0" if self.count == 1 else f"[0-{self.count - 1}]"
        return {
            "Name": GRES_NAME,
            "Type": self.chip,
            "Count": str(self.count),
            "File": f"/dev/neuron{devices}",
            "Flags": FLAGS,
        }
