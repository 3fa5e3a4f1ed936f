"""The real kubectl, at an API server that serves given objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.kubectl import Kubectl, KubectlError
from neuron_cluster.kube.project_tools import project_kubectl
from tests.fake_api_server import FakeApiServer

CATALOG = load_catalog()

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "llama-node-0-0", "namespace": "team-a"}}
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "ip-10-0-0-1"}}


@pytest.fixture(scope="module")
def binary() -> Path:
    layer = CATALOG.kubernetes_versions["1.35"].kubectl_layer
    assert layer is not None
    return project_kubectl(ROOT, layer.package, CATALOG)


def at(server: FakeApiServer, binary: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Kubectl:
    monkeypatch.setenv("KUBECACHEDIR", str(folder / "cache"))
    return Kubectl(binary, "here", server.kubeconfig(folder / "config", "a-cluster"))


def test_objects_of_several_kinds_are_one_call(binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeApiServer([POD, NODE], without=["kubeflow.org"]) as server:
        kubectl = at(server, binary, tmp_path, monkeypatch)
        assert "jobset.x-k8s.io" in kubectl.groups()
        assert kubectl.groups() >= {"batch", "batch/v1"}
        assert "kubeflow.org" not in kubectl.groups()
        read = kubectl.get(["pods", "nodes", "jobsets.jobset.x-k8s.io"], "team-a")
        assert [body["metadata"]["name"] for body in read.objects] == ["llama-node-0-0", "ip-10-0-0-1"]
        assert kubectl.get(["pods"], "team-b").objects == ()
        assert len(kubectl.get(["pods"], None).objects) == 1


def test_what_may_not_be_read_is_left_out_with_the_reason(
    binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeApiServer([POD, NODE], forbidden=["nodes"]) as server:
        read = at(server, binary, tmp_path, monkeypatch).get(["pods", "nodes"], "team-a")
    assert [body["kind"] for body in read.objects] == ["Pod"]
    assert len(read.forbidden) == 1
    assert "nodes is forbidden" in read.forbidden[0]


def test_another_failure_is_an_error(binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeApiServer([], without=["kubeflow.org"]) as server:
        kubectl = at(server, binary, tmp_path, monkeypatch)
        with pytest.raises(KubectlError, match="resource type"):
            kubectl.get(["mpijobs.kubeflow.org", "pods"], "team-a")
    with pytest.raises(KubectlError, match="refused"):
        kubectl.groups()


def test_a_patch_is_merged_and_a_log_read(binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "check", "namespace": "team-a"}, "spec": {}}
    pod = {**POD, "spec": {"containers": [{"name": "trainer"}]}}
    with FakeApiServer([job, pod], logs={"llama-node-0-0": "step 12\n"}) as server:
        kubectl = at(server, binary, tmp_path, monkeypatch)
        kubectl.patch("jobs.batch", "check", "team-a", {"spec": {"suspend": True}})
        assert server.patches == [("jobs/check", {"spec": {"suspend": True}})]
        assert kubectl.log("llama-node-0-0", "team-a", "--tail=20") == "step 12\n"
        assert kubectl.log("another", "team-a") is None
        assert kubectl.raw("/apis/nothing/v1") is None


def test_a_program_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(KubectlError, match="cannot be run"):
        Kubectl(tmp_path / "kubectl", "here").groups()
