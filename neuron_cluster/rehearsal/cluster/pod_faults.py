"""Faults that the programs of pods see: failing file systems and devices."""

from __future__ import annotations

from dataclasses import dataclass, field

from local_kubernetes.model.fields import items
from neuron_cluster.rehearsal.cluster import node_life
from neuron_cluster.rehearsal.cluster.objects import Node, Pod
from neuron_cluster.rehearsal.cluster.pod_files import COUNTER, device_counters, faults_folder
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

REPAIRED_REASON = "NeuronHBMUncorrectableError"
"""Reason of the node monitoring agent in the condition AcceleratedHardwareReady (catalog/data/node_repair.yaml)."""
DEVICE_SECONDS = 60
"""Seconds of use until a failed device fails again."""
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
    """Errors of file systems reach every pod that mounts them, those of a device every pod of its node, also later."""

    world: World
    file_errors: list[FileError] = field(default_factory=list)
    _met: set[Pod] = field(default_factory=set)
    """Pods that meet the failed device of their node."""

    def refresh(self) -> None:
        """Writes the present errors for the programs of every pod."""
        for pod in self.world.live_pods():
            if pod.node is not None and pod.node.has_failed_device and pod.is_ready and pod not in self._met:
                self._met.add(pod)
                self.world.agenda.after(DEVICE_SECONDS, lambda pod=pod: self._fail(pod))  # type: ignore[misc]
            lines = "".join(f"{line}\n" for line in self._lines(pod))
            file = faults_folder(self.world, pod) / FILE_ERRORS
            if (file.read_text(encoding="utf-8") if file.exists() else "") != lines:
                file.write_text(lines, encoding="utf-8")

    def fail_device(self, pod: Pod, node: Node) -> None:
        """From now on, until the service of the node replaces it."""
        node.has_failed_device = True
        self._met.add(pod)
        self._fail(pod)
        if node.repair_seconds is not None:
            self.world.agenda.after(node.repair_seconds, lambda: self._repair(node))
        elif node.recovery is not None and node.recovery.replaces_failed_devices:
            node_life.replace(node, node.recovery, self.world)

    def _repair(self, node: Node) -> None:
        if node.ended_at is None and not node.is_cordoned:
            self.world.timeline.record(Source.NODE, node.name, "NodeRepair", REPAIRED_REASON)
            node_life.drain(node, self.world, by=Source.NODE)

    def _fail(self, pod: Pod) -> None:
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
