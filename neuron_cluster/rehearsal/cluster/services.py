"""Endpoints of Services: the Ready pods that their selectors match, a moment after they changed.

Source: Kubernetes documentation, Service and EndpointSlices (a terminating pod is not Ready).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.fields import at, items, text_pairs
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.world import World


class Services:
    """Writes ``ADDRESS PORT`` of each endpoint into a file for each Service, which clients read."""

    def __init__(self, world: World) -> None:
        self._world = world
        (world.folder / "endpoints").mkdir()
        self._services: dict[str, Mapping[str, Any]] = {}
        self._published: dict[str, str] = {}

    def create(self, name: str, body: Mapping[str, Any]) -> None:
        self._services[name] = body
        (self._world.folder / "endpoints" / name).write_text("", encoding="ascii")

    def reconcile(self) -> None:
        for name, body in self._services.items():
            lines = "".join(sorted(f"{line}\n" for pod in self._pods(body) for line in _lines(body, pod)))
            if self._published.get(name, "") != lines:
                self._published[name] = lines
                self._world.agenda.after(
                    self._world.seconds["endpoint_propagation"],
                    lambda name=name, lines=lines: self._write(name, lines),  # type: ignore[misc]
                )

    def _write(self, name: str, lines: str) -> None:
        """At once: a client reads either the old endpoints or the new ones."""
        file = self._world.folder / "endpoints" / name
        partial = file.with_name(f".{name}")
        partial.write_text(lines, encoding="ascii")
        partial.replace(file)

    def _pods(self, body: Mapping[str, Any]) -> list[Pod]:
        selector = text_pairs(at(body, "spec", "selector"))
        pods = (pod for pod in self._world.live_pods() if pod.is_ready and pod.deletes_at is None)
        return [
            pod for pod in pods if selector and all(pod.labels.get(key) == value for key, value in selector.items())
        ]


def _lines(body: Mapping[str, Any], pod: Pod) -> list[str]:
    """The first port of the Service at this pod."""
    for port in items(at(body, "spec", "ports"))[:1]:
        target = at(port, "targetPort") or at(port, "port")
        ports = (each for container in pod.main_containers for each in items(container.body.get("ports")))
        number = next((at(each, "containerPort") for each in ports if at(each, "name") == target), target)
        return [f"{pod.address} {number}"]
    return []
