"""What the programs of pods find out of order: file systems that fail, and devices."""

from __future__ import annotations

from dataclasses import dataclass, field

from neuron_cluster.kubernetes.fields import items
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.pod_files import COUNTER, device_counters, faults_folder
from neuron_cluster.rehearsal.cluster.world import World

FILE_ERRORS, DEVICE_ERROR = "file-errors", "device-error"
"""Files that programs/sitecustomize.py and programs/train.py look for."""


@dataclass(frozen=True)
class FileError:
    """Calls on a claim fail: all of them, or those that write."""

    error: str
    claim: str
    writes_only: bool


@dataclass
class PodFaults:
    """Errors of file systems reach every pod that mounts them, also one that starts later."""

    world: World
    file_errors: list[FileError] = field(default_factory=list)

    def refresh(self) -> None:
        """Writes the present errors for the programs of every pod."""
        for pod in self.world.live_pods():
            lines = "".join(f"{line}\n" for line in self._lines(pod))
            file = faults_folder(self.world, pod) / FILE_ERRORS
            if (file.read_text(encoding="utf-8") if file.exists() else "") != lines:
                file.write_text(lines, encoding="utf-8")

    def fail_device(self, pod: Pod) -> None:
        """The driver counts an error, and the program that uses the device ends."""
        counter = device_counters(self.world, pod) / "neuron0" / COUNTER
        counter.write_text("1\n", encoding="ascii")
        (faults_folder(self.world, pod) / DEVICE_ERROR).touch()

    def _lines(self, pod: Pod) -> list[str]:
        claims = pod.claims
        paths = [
            (claims[str(mount["name"])], str(mount["mountPath"]))
            for container in pod.containers
            for mount in items(container.body.get("volumeMounts"))
            if str(mount["name"]) in claims
        ]
        return [
            f"{each.error} {'write' if each.writes_only else 'any'} {path}"
            for each in self.file_errors
            for claim, path in paths
            if claim == each.claim
        ]
