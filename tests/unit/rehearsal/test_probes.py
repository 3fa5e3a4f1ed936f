"""Probes that run curl inside the pod, against servers of this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.rehearsal.cluster import probes
from neuron_cluster.rehearsal.cluster.deployments import Deployment, DeploymentController
from neuron_cluster.rehearsal.cluster.objects import Container, Pod
from neuron_cluster.rehearsal.cluster.probes import Probes
from tests.unit.rehearsal.worlds import pass_seconds, pod_template, world


@pytest.fixture
def hung_port() -> Iterator[int]:
    """Yields the port of a server that accepts connections and does not answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def _container(port: int, command: str) -> dict[str, object]:
    probe = {"exec": {"command": [command, "--max-time", "9", f"http://127.0.0.1:{port}/"]}, "failureThreshold": 2}
    return {"name": "viewer", "image": "viewer:1", "livenessProbe": probe}


def _restarted(folder: Path, body: dict[str, object]) -> list[str]:
    made = world(folder)
    controller = DeploymentController(made)
    spec = {"replicas": 1, "template": pod_template(containers=[body])}
    controller.create(Deployment(name="viewer", namespace="default", body={"spec": spec}))
    controller.reconcile()
    (pod,) = made.live_pods()
    pod.address, pod.node = "127.0.0.1", next(iter(made.present_nodes()))
    found: list[str] = []

    def restart(_: Pod, container: Container) -> None:
        found.append(container.name)

    Probes(made, restart).watch(pod, pod.main_containers[0])
    pass_seconds(made, 25)
    return found


def test_a_server_that_hangs_fails_the_curl_of_its_probe(hung_port: int, tmp_path: Path) -> None:
    body = _container(hung_port, "curl")
    assert _restarted(tmp_path, body) == ["viewer"]
    assert list(probes.unmodelled({"containers": [body]})) == []


def test_another_command_is_listed_as_not_modelled(hung_port: int, tmp_path: Path) -> None:
    body = _container(hung_port, "wget")
    assert _restarted(tmp_path, body) == []
    assert list(probes.unmodelled({"containers": [body]})) == ["livenessProbe of viewer (exec)"]
