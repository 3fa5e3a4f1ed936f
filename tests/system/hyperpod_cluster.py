"""A Slurm cluster as HyperPod's AMI sets it up, before and after the life cycle scripts of the toolkit.

HyperPod is played by this class: it writes slurm.conf without Neuron devices and without settings of the toolkit, a
partition dev with all nodes, and the two settings that it documents. Names of nodes are not those of addresses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from signal import SIGKILL

from neuron_cluster.providers.hyperpod.node_script import controller_settings
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmPlan
from neuron_cluster.schedulers.slurm.script_settings import FOLDER
from neuron_cluster.toolkit_files import PACKAGE

from .slurm_cluster import SECONDS, SlurmCluster, eventually

TEXTS = PACKAGE / "providers" / "hyperpod" / "node_start"
PROGRAM = TEXTS / "slurm_settings.py"
RECONFIGURE = """#!/bin/sh
for name in slurmctld {nodes}; do
  pid=$(cat {folder}/$name.pid)
  kill "$pid"
  while [ -e "/proc/$pid" ] && ! grep -q '^State:.*Z' "/proc/$pid/status"; do sleep 0.1; done
done
slurmctld -f {folder}/slurm.conf >/dev/null 2>&1
for name in {nodes}; do slurmd -N "$name" -f {folder}/slurm.conf >/dev/null 2>&1; done
until scontrol ping >/dev/null 2>&1; do sleep 0.1; done
"""
"""`scontrol reconfigure` of Slurm 23.11 and newer, whose daemons start again; that of Debian 12 is 22.05."""


class HyperPodCluster(SlurmCluster):
    @property
    def planned_settings(self) -> dict[str, str]:
        """Settings of HyperPod: the toolkit's come from its script."""
        return {"SchedulerParameters": "permit_job_expansion", "TaskPlugin": "task/none"}

    def _own_settings(self, controller: int) -> dict[str, object]:
        """Without GresTypes, and with room for settings that come later."""
        found = super()._own_settings(controller)
        del found["GresTypes"]
        return found

    def _write_gres(self) -> None:
        """HyperPod writes no record of Neuron nodes."""

    def write_nodes_again(self) -> None:
        """HyperPod writes the lines of nodes, here after a node was replaced, and keeps the other lines."""
        path = self.folder / "slurm.conf"
        lines = path.read_text().splitlines()
        kept = [line.partition(" Gres=")[0] if line.startswith("NodeName=") else line for line in lines]
        path.write_text("\n".join(kept) + "\n")
        self.run(str(self.programs / "reconfigure"))

    def look_after(self, node: str) -> None:
        """Runs the program of a node's timer."""
        self.run("bash", str(TEXTS / "node_devices.sh"), self.gres.requested, SLURMD_NODENAME=node)

    def run_settings(self) -> None:
        """Runs the program of the controller's timer, with files and programs of this machine."""
        assert isinstance(self.plan, HyperPodSlurmPlan)
        reconfigure = self.programs / "reconfigure"
        self.write_program(reconfigure.name, RECONFIGURE.format(folder=self.folder, nodes=" ".join(self.nodes)))
        given = {
            **controller_settings(self.plan),
            "folder": str(self.folder),
            "settings": {
                name: value.replace(FOLDER, str(self.installed)) for name, value in self.plan.settings.items()
            },
            "devices": f"{self.devices(self.nodes[0])}/neuron",
            "show_nodes": ["scontrol", "--oneliner", "show", "node"],
            "reconfigure": [str(reconfigure)],
        }
        program = self.folder / PROGRAM.name
        program.write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
        program.with_suffix(".json").write_text(json.dumps(given), encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, str(program)],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert ran.returncode == 0, ran.stderr

    def register_devices(self) -> None:
        """The timers run until Slurm accepts a job for all devices of each node."""
        eventually(self._timers, lambda accepted: accepted == "")

    def _timers(self) -> str:
        """Why Slurm does not accept it; empty where it does."""
        for node in self.nodes:
            self.look_after(node)
        self.run_settings()
        devices = f"--gpus-per-node={self.gres.chip}:{self.gres.count}"
        command = ["srun", "--test-only", "--partition=training", f"--nodes={len(self.nodes)}", devices, "true"]
        tried = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=False, timeout=SECONDS
        )
        return "" if tried.returncode == 0 else tried.stderr

    def stop(self) -> None:
        """Ends the daemons that a restart has started too."""
        try:
            super().stop()
        finally:
            for name in ("slurmctld", *self.nodes):
                with suppress(OSError, ValueError):
                    os.kill(int((self.folder / f"{name}.pid").read_text()), SIGKILL)
