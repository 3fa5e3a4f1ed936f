"""The containers of the charts can write where their programs write, and have the rights that these need."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from bundled_charts import CHARTS, DEFAULTS, BundledChart, case_id, cases
from renders import NAMESPACE, Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from local_kubernetes.model.image_reference import image_reference
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kube.helm import HelmError
from neuron_cluster.schedulers.kubernetes.workloads.programs.findings import program_findings

CATALOG = load_catalog()

pytestmark = pytest.mark.slow
TEMPORARY = "/tmp"  # noqa: S108 - in the container
Break = Callable[[dict[str, Any], dict[str, Any]], object]
"""Spoils a container and the spec of its pod."""


def found_in(objects: Any, chart: BundledChart) -> list[Finding]:
    def framework_of(image: str) -> str | None:
        row = CATALOG.containers.get(image_reference(image).name)
        return row.framework if row is not None else None

    return list(program_findings(objects, framework_of, CATALOG, chart=chart.name, namespace=NAMESPACE))


@pytest.mark.parametrize(("chart", "example"), cases(defaults=True), ids=case_id)
def test_no_container_lacks_a_folder_or_a_right(chart: BundledChart, example: str, renders: Renders) -> None:
    try:
        objects = renders.objects(chart, example, newest_helm())
    except HelmError:
        assert example == DEFAULTS
        return
    assert [f"{each.id} {each.location.path}: {each.message}" for each in found_in(objects, chart)] == []


def without(name: str) -> Break:
    def spoil(body: dict[str, Any], _: dict[str, Any]) -> None:
        body["env"] = [each for each in body["env"] if each["name"] != name]

    return spoil


def read_only_root(body: dict[str, Any], spec: dict[str, Any]) -> None:
    body["securityContext"]["readOnlyRootFilesystem"] = True
    without("HOME")(body, spec)


def mounted_read_only(path: str) -> Break:
    def spoil(body: dict[str, Any], _: dict[str, Any]) -> None:
        next(each for each in body["volumeMounts"] if each["mountPath"] == path)["readOnly"] = True

    return spoil


BROKEN: list[tuple[str, str, str, Break, str]] = [
    # chart, example, container, what is broken, a part of what is found
    ("neuron-serving", "inf2-dev", "vllm", without("NEURON_COMPILED_ARTIFACTS"), "writes to /models/neuron-compiled"),
    ("batch-inference", "inf2-s3", "batch", without("NEURON_COMPILED_ARTIFACTS"), "writes to /models/neuron-compiled"),
    ("neuron-serving", "trn2-s3-autoscaled", "vllm", mounted_read_only("/scratch"), "is mounted read-only"),
    ("neuron-serving", "trn2-s3-autoscaled", "vllm", mounted_read_only(TEMPORARY), "temporary files"),
    ("neuron-serving", "trn2-s3-autoscaled", "vllm", lambda body, _: body.pop("workingDir"), "own working directory"),
    ("neuron-serving", "trn2-s3-autoscaled", "vllm", read_only_root, "the root file system is read-only"),
    ("neuron-serving", "trn2-node-cache-four-replicas", "copy-weights", mounted_read_only("/weights"), "--folder"),
    ("neuron-training", "nxd-trn1-mpijob", "trainer", lambda body, _: body.pop("workingDir"), "files of the compiler"),
    ("compile-cache-warmer", "torch-xla-on-trn1", "compiler", read_only_root, "Hugging Face"),
    ("neuron-explorer", "capture-neff", "capture", mounted_read_only("/profiles"), "profiles"),
    ("collectives-check", "trn2-four-nodes", "check",
     lambda _, spec: spec.update(automountServiceAccountToken=False), "mounts no token"),
    ("collectives-check", "trn2-four-nodes", "check",
     lambda _, spec: spec.update(serviceAccountName="other"), "other may not get configmaps"),
    ("collectives-check", "trn2-four-nodes", "check", mounted_read_only(TEMPORARY), "temporary files"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "example", "container_name", "spoil", "said"), BROKEN)
def test_what_a_chart_would_get_wrong_is_found(
    name: str, example: str, container_name: str, spoil: Break, said: str, renders: Renders
) -> None:
    chart = BundledChart(CHARTS / name)
    objects = copy.deepcopy(renders.objects(chart, example, newest_helm()))
    pairs = [pair for body in objects for pair in containers_of(body, container_name)]
    assert pairs
    for body, spec in pairs:
        spoil(body, spec)
    found = [f"{each.message} {each.hint}" for each in found_in(objects, chart)]
    assert [each for each in found if said in each], found


def containers_of(tree: Any, name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    found = []
    if isinstance(tree, dict):
        for place in ("initContainers", "containers"):
            found += [(each, tree) for each in tree.get(place) or () if isinstance(each, dict) and each["name"] == name]
        for each in tree.values():
            found += containers_of(each, name)
    elif isinstance(tree, list):
        found = [pair for each in tree for pair in containers_of(each, name)]
    return found


@pytest.mark.parametrize("name", ["neuron-serving", "batch-inference", "model-store", "compile-cache-warmer"])
def test_egress_that_a_copy_from_s3_needs_is_found(name: str, renders: Renders) -> None:
    example = {"neuron-serving": "trn2-s3-autoscaled", "batch-inference": "inf2-s3", "model-store": "download-to-s3"}
    chart = BundledChart(CHARTS / name)
    objects = copy.deepcopy(renders.objects(chart, example.get(name, "vllm-to-s3-weekly"), newest_helm()))
    (policy,) = [each for each in objects if each["kind"] == "NetworkPolicy"]
    rules = policy["spec"]["egress"]
    for port, said in ((443, "no NetworkPolicy allows https as egress"), (80, "pod identity")):
        policy["spec"]["egress"] = [
            rule for rule in rules if not any(each["port"] == port for each in rule.get("ports", []))
        ]
        assert {said in each.message for each in found_in(objects, chart)} == {True}


def test_the_owner_of_a_folder_is_changed_by_root_with_its_capability(renders: Renders) -> None:
    chart = BundledChart(CHARTS / "neuron-serving")
    values = copy.deepcopy(dict(chart.values("trn2-node-cache-four-replicas")))
    values["weights"] = {**values["weights"], "nodeCache": {"claim": "", "hostPath": "/mnt/k8s-disks/0/weights"}}
    objects = copy.deepcopy(renders.of_values(chart, values, newest_helm()))
    assert found_in(objects, chart) == []
    ((body, _),) = [pair for each in objects for pair in containers_of(each, "make-node-cache")]
    body["securityContext"] |= {"runAsUser": 1000, "capabilities": {"drop": ["ALL"]}}
    assert [each.message.partition(": ")[2] for each in found_in(objects, chart)] == [
        "the container runs as user 1000, and needs root",
        "the container lacks the capability CHOWN",
    ]


@pytest.mark.hints("E9277", "W9278")
@pytest.mark.parametrize(
    ("variable", "bad", "finding_id"),
    [("NEURON_COMPILED_ARTIFACTS", "/models/mine", "E9277"), ("TRITON_CACHE_DIR", "/opt/mine", "W9278")],
)
def test_a_folder_that_the_hint_names_is_taken(variable: str, bad: str, finding_id: str, renders: Renders) -> None:
    chart = BundledChart(CHARTS / "neuron-serving")
    hints = []
    for folder in (bad, "/scratch/mine", "/tmp/mine"):  # noqa: S108 - in the container
        values = merged(chart.values("inf2-dev"), {"env": {variable: folder}})
        found = found_in(renders.of_values(chart, values, newest_helm()), chart)
        assert [each.id for each in found] == ([finding_id] if folder == bad else [])
        hints += [each.hint for each in found]
    assert all("such as /scratch or /tmp" in each for each in hints)


def test_a_working_directory_of_the_users_own_image_is_in_doubt(renders: Renders) -> None:
    """Its image may give the folder to user 1000."""
    chart = BundledChart(CHARTS / "neuron-training")
    values = merged(chart.values("nxd-trn1-mpijob"), {"trainer": {"workingDir": ""}})
    found = found_in(renders.of_values(chart, values, newest_helm()), chart)
    assert {each.id for each in found} == {"W9278"}
