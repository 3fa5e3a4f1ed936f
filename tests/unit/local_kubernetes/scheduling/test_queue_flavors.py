"""Which pods of an object Kueue cannot admit by a queue of nodes with a network topology."""

from __future__ import annotations

from typing import Any

from local_kubernetes.model.scheduling.queue_flavors import POD_SET_GROUP, without_flavor

NEURON = "aws.amazon.com/neuron"
GROUP = {"annotations": {POD_SET_GROUP: "together"}}


def _template(limits: dict[str, str], metadata: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    containers = [{"name": "main", "image": "main:1", "resources": {"limits": limits}}]
    return {"metadata": metadata or {}, "spec": {"containers": containers, **spec}}


def _mpi_job(metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    launcher = {"replicas": 1, "template": _template({"memory": "4Gi"}, metadata)}
    worker = {"replicas": 2, "template": _template({NEURON: "16"}, metadata)}
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": "train"},
        "spec": {"mpiReplicaSpecs": {"Launcher": launcher, "Worker": worker}},
    }


def test_a_launcher_without_devices_has_a_flavor_only_grouped_with_its_workers() -> None:
    """kubernetes-sigs/kueue@ff69552 flavorassigner_test.go, TestAssignFlavors_LeaderWorkerSetTASFlavor."""
    (launcher,) = without_flavor(_mpi_job(), "default", [NEURON])
    assert "Launcher" in launcher.workload
    assert without_flavor(_mpi_job(GROUP), "default", [NEURON]) == []


def test_claimed_devices_are_counted() -> None:
    claims = [{"name": "neurons", "resourceClaimTemplateName": "neurons"}]
    spec = {"template": _template({}, resourceClaims=claims)}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec}
    assert without_flavor(job, "default", [NEURON]) == []
