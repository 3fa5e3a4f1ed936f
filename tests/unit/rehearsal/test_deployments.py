"""The Deployment controller as Kubernetes documents it, and the endpoints of Services."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.rehearsal.cluster.deployments import Deployment, DeploymentController
from neuron_cluster.rehearsal.cluster.objects import Phase, Pod
from neuron_cluster.rehearsal.cluster.services import Services
from neuron_cluster.rehearsal.cluster.world import World
from tests.unit.rehearsal.worlds import pass_seconds, pod_template, world


class Case:
    """A Deployment whose pods a test makes Ready, and ends when they are deleted."""

    def __init__(self, folder: Path, replicas: int, surge: int | str, unavailable: int | str) -> None:
        self.world: World = world(folder)
        update = {"maxSurge": surge, "maxUnavailable": unavailable}
        spec = {"replicas": replicas, "strategy": {"rollingUpdate": update}, "template": pod_template()}
        self.deployment = Deployment(name="vllm", namespace="default", body={"spec": spec})
        self.controller = DeploymentController(self.world)
        self.controller.create(self.deployment)
        self.controller.reconcile()

    @property
    def pods(self) -> list[Pod]:
        return [pod for pod in self.world.live_pods() if pod.is_active]

    def make_ready(self) -> None:
        for number, pod in enumerate(self.pods):
            pod.phase, pod.address = Phase.RUNNING, f"127.1.0.{number + 1}"
            for container in pod.containers:
                container.is_ready = True
        self.controller.reconcile()

    def ready(self) -> int:
        return sum(pod.is_ready for pod in self.pods)


@pytest.mark.parametrize(
    ("surge", "unavailable", "fewest_ready", "most_pods"), [(0, 1, 1, 2), (1, 0, 2, 3), ("50%", "0%", 2, 3)]
)
def test_an_update_keeps_within_its_bounds(
    tmp_path: Path, surge: int | str, unavailable: int | str, fewest_ready: int, most_pods: int
) -> None:
    case = Case(tmp_path, 2, surge, unavailable)
    case.make_ready()
    case.controller.update(case.deployment)
    seen = []
    for _ in range(6):
        case.controller.reconcile()
        seen.append((case.ready(), len(case.pods)))
        case.make_ready()
    assert min(ready for ready, _ in seen) == fewest_ready
    assert max(pods for _, pods in seen) == most_pods
    assert case.controller.are_ready()


def test_a_failed_pod_is_replaced(tmp_path: Path) -> None:
    case = Case(tmp_path, 1, 0, 1)
    (pod,) = case.pods
    pod.phase = Phase.FAILED
    case.controller.reconcile()
    assert [each.name for each in case.pods] != [pod.name]
    assert len(case.pods) == 1


def test_endpoints_are_the_ready_pods_a_moment_later(tmp_path: Path) -> None:
    case = Case(tmp_path, 2, 0, 1)
    services = Services(case.world)
    port = {"port": 80, "targetPort": 8000}
    services.create("vllm-http", {"spec": {"selector": {"app": "train"}, "ports": [port]}})
    file = tmp_path / "endpoints" / "vllm-http"
    case.make_ready()
    services.reconcile()
    assert file.read_text() == ""
    pass_seconds(case.world, case.world.seconds["endpoint_propagation"])
    assert file.read_text() == "127.1.0.1 8000\n127.1.0.2 8000\n"
    case.world.delete_pod(case.pods[0])
    services.reconcile()
    pass_seconds(case.world, case.world.seconds["endpoint_propagation"])
    assert file.read_text() == "127.1.0.2 8000\n"


def test_with_recreate_the_old_pods_are_gone_before_a_new_one_starts(tmp_path: Path) -> None:
    case = Case(tmp_path, 2, 0, 1)
    case.deployment.body["spec"]["strategy"] = {"type": "Recreate"}  # type: ignore[index]
    case.make_ready()
    old = case.pods
    case.controller.update(case.deployment)
    case.controller.reconcile()
    assert case.pods == []
    for pod in old:
        pod.is_gone = True
    case.controller.reconcile()
    assert len(case.pods) == 2
    assert not set(case.pods) & set(old)


def test_with_recreate_a_deleted_pod_is_replaced_at_once(tmp_path: Path) -> None:
    case = Case(tmp_path, 2, 0, 1)
    case.deployment.body["spec"]["strategy"] = {"type": "Recreate"}  # type: ignore[index]
    case.world.delete_pod(case.pods[0])
    case.controller.reconcile()
    assert len(case.pods) == 2
