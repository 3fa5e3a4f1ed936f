"""Each hint of `schedule` about a workload is followed: as it is written then, the workload runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from finding_words import unsaid
from hint_commands import command_error, commands_in

from .conftest import PROJECT, Command

NEURON = "aws.amazon.com/neuron"
GROUP_LABEL = "neuron-cluster/node-group"
TOLERATION = {"key": NEURON, "operator": "Exists", "effect": "NoSchedule"}
DRA = {"neuron_dra_driver": True}
Objects = list[dict[str, Any]]


def job(**spec: Any) -> dict[str, Any]:
    """A Job with all 16 devices of a node, with other keys of its pod."""
    pod = {"tolerations": [TOLERATION], "containers": containers(**{NEURON: "16"}), **spec}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {"template": {"spec": {key: value for key, value in pod.items() if value is not None}}},
    }


def containers(**limits: str) -> Objects:
    return [{"name": "main", "image": "x", "resources": {"limits": limits}}]


def affinity(*expressions: dict[str, Any]) -> dict[str, Any]:
    terms = {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def within(key: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": "In", "values": list(values)}


def claiming(count: int = 16, device_class: str = "neuron.aws.com", **exactly: Any) -> Objects:
    """A Job whose pod claims devices, and the template of the claim."""
    request = {"name": "neurons", "exactly": {"deviceClassName": device_class, "count": count, **exactly}}
    pod = job(
        containers=[{"name": "main", "resources": {"claims": [{"name": "chips"}]}}],
        resourceClaims=[{"name": "chips", "resourceClaimTemplateName": "node"}],
    )
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "node"},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }
    return [pod, template]


def selecting(expression: str) -> dict[str, Any]:
    return {"selectors": [{"cel": {"expression": expression}}]}


def of_type(name: str) -> dict[str, Any]:
    return selecting(f"device.attributes['neuron.aws.com'].instanceType == '{name}'")


WHOLE_NODE = selecting("device.attributes['neuron.aws.com'].resourceType == 'neuron_node'")
AGENT = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "agent"},
    "spec": {
        "selector": {"matchLabels": {"app": "agent"}},
        "template": {"metadata": {"labels": {"app": "agent"}}, "spec": {"containers": containers(cpu="1")}},
    },
}

FITS: dict[str, tuple[dict[str, bool] | None, Objects, str, str, Objects]] = {
    # switches, the objects, the id and a part of the hint, and the objects after what it says
    "another type": (
        None, [job(nodeSelector={"node.kubernetes.io/instance-type": "trn1.2xlarge"})], "E9302",
        "for trn1: in its node selector write node.kubernetes.io/instance-type: trn1.32xlarge",
        [job(nodeSelector={"node.kubernetes.io/instance-type": "trn1.32xlarge"})]),
    "a label that no node has": (
        None, [job(nodeSelector={"disk": "ssd"})], "E9302", "leave disk out of its node selector", [job()]),
    "an affinity to another type": (
        None, [job(affinity=affinity(within("node.kubernetes.io/instance-type", "trn1.2xlarge")))], "E9302",
        "in its affinity allow node.kubernetes.io/instance-type=trn1.32xlarge",
        [job(affinity=affinity(within("node.kubernetes.io/instance-type", "trn1.2xlarge", "trn1.32xlarge")))]),
    "an affinity to a label that no node has": (
        None, [job(affinity=affinity(within("disk", "ssd")))], "E9302", "in its affinity leave disk out", [job()]),
    "an affinity to nothing": (
        None, [job(affinity=affinity())], "E9302", "in its affinity leave out the term without expressions", [job()]),
    "no toleration": (
        None, [job(tolerations=None)], "E9302",
        "for trn1: add the toleration {key: aws.amazon.com/neuron, operator: Exists, effect: NoSchedule}", [job()]),
    "too many devices": (
        None, [job(containers=containers(**{NEURON: "32"}))], "E9302", f"request 16 {NEURON} at most", [job()]),
    "too many CPUs for nodes without devices": (
        None, [job(tolerations=None, containers=containers(cpu="64"))], "E9302",
        "for system: request 3.43 CPUs at most",
        [job(tolerations=None, containers=containers(cpu="3"))]),
    "too much memory": (
        None, [job(containers=containers(**{NEURON: "16", "memory": "900Gi"}))], "E9302",
        "request 459 GiB of memory at most", [job(containers=containers(**{NEURON: "16", "memory": "459Gi"}))]),
    "memory in doubt": (
        None, [job(containers=containers(**{NEURON: "16", "memory": "495Gi"}))], "W9303",
        "request 459 GiB of memory at most", [job(containers=containers(**{NEURON: "16", "memory": "459Gi"}))]),
    "a resource of other machines": (
        None, [job(tolerations=None, containers=containers(**{"nvidia.com/gpu": "1"}))], "E9302",
        "request no nvidia.com/gpu", [job(tolerations=None, containers=containers(cpu="1"))]),
    "the name of a device before SDK 2.20": (
        None, [job(containers=containers(**{"aws.amazon.com/neurondevice": "16"}))], "E9302",
        f"no device plugin publishes aws.amazon.com/neurondevice since Neuron SDK 2.20: request {NEURON}", [job()]),
    "a name of devices with a slip": (
        None, [job(containers=containers(**{"aws.amazon.com/neurons": "16"}))], "E9302",
        f"no device plugin publishes aws.amazon.com/neurons: request {NEURON}", [job()]),
    "too many pods": (
        None, [{**job(), "spec": {**job()["spec"], "parallelism": 17, "completions": 17}}], "E9302",
        "request 16 pods at most", [{**job(), "spec": {**job()["spec"], "parallelism": 16, "completions": 16}}]),
    "another scheduler": (
        None, [job(schedulerName="mine")], "E9305", "leave it out", [job()]),
    "a scheduler with a slip": (
        None, [job(schedulerName="default")], "E9305", "name one of these: default-scheduler",
        [job(schedulerName="default-scheduler")]),
    "a template elsewhere": (
        DRA, claiming()[:1], "W9303", "add ResourceClaimTemplate node to the objects", claiming()),
    "a class that nobody publishes": (
        DRA, claiming(device_class="gpu.nvidia.com"), "E9302", "claim device class neuron.aws.com", claiming()),
    "devices as resources of nodes with a driver": (
        DRA, [job()], "E9302", "for trn1: claim device class neuron.aws.com", claiming()),
    "EFA interfaces as a claim": (
        None, claiming(8, "efa.networking.k8s.aws"), "E9302", "for trn1: request vpc.amazonaws.com/efa: 8",
        [job(containers=containers(**{"vpc.amazonaws.com/efa": "8"}))]),
    "EFA interfaces of nodes without any": (
        None, claiming(1, "efa.networking.k8s.aws"), "E9302",
        "for inf2: leave out the claim of efa.networking.k8s.aws: the nodes have no EFA interfaces",
        [job(containers=containers(**{NEURON: "1"}))]),
    "more reasons on the group with devices than on the one without": (
        None, [job(tolerations=None, containers=containers(**{NEURON: "32"}))], "E9302",
        f"for trn1: add the toleration {{key: {NEURON}, operator: Exists, effect: NoSchedule}}, and request 16",
        [job()]),
    "claims without a driver": (
        None, claiming(), "E9302", "request devices as resources: no driver on the nodes", [job()]),
    "more than a node has": (
        DRA, claiming(17), "E9302", "for trn1: claim 16 of it at most", claiming(16)),
    "devices of another type": (
        DRA, claiming(**of_type("trn2.48xlarge")), "E9302", "let its claim select devices of trn1.32xlarge",
        claiming(**of_type("trn1.32xlarge"))),
    "a node of an UltraServer": (
        DRA, claiming(1, **WHOLE_NODE), "E9302", "claim single devices", claiming(16)),
    "two whole nodes": (
        None, claiming(2, **WHOLE_NODE), "E9302", "claim one whole node, and run more pods", claiming(1, **WHOLE_NODE)),
    "a kind whose pods are not known": (
        None,
        [{"apiVersion": "kubeflow.org/v1", "kind": "TFJob", "metadata": {"name": "y"},
          "spec": {"tfReplicaSpecs": {"Worker": {"template": {"spec": {"containers": containers(cpu="1")}}}}}},
         job()],
        "W9304", "check a Pod or a Job with the same pod spec", [job()]),
}  # fmt: skip


BASES = {"two whole nodes": "train-trn2u", "EFA interfaces of nodes without any": "dev-inf2"}
"""Bases that are not train-trn1; their Neuron group runs all its nodes."""


def found_in(command: Command, folder: Path, name: str, objects: Objects) -> Any:
    """Returns the findings of `schedule` on the environment of a case."""
    switches = FITS[name][0]
    tree = yaml.safe_load((PROJECT / "environments" / f"{BASES.get(name, 'train-trn1')}.yaml").read_text())
    if switches is not None:
        tree["eks"]["addons"] = switches
    if name in BASES:
        count = tree["eks"]["node_groups"][1]["count"]
        count["desired"] = count["max"]
    (folder / "edited.yaml").write_text(yaml.safe_dump(tree))
    (folder / "objects.yaml").write_text(yaml.safe_dump_all(objects))
    arguments = (str(folder / "edited.yaml"), "--workload", str(folder / "objects.yaml"), "--format", "json")
    ran = command("schedule", *arguments)
    return [each for each in ran.document["findings"] if re.match("[EW]93", each["id"])]


@pytest.mark.hints("E9302", "W9303", "W9304", "E9305")
@pytest.mark.parametrize("name", FITS)
def test_a_workload_as_its_hint_says_runs(name: str, command: Command, tmp_path: Path) -> None:
    _, objects, finding_id, hint, mended = FITS[name]
    (found,) = found_in(command, tmp_path, name, objects)
    assert (found["id"], hint in found["hint"]) == (finding_id, True), found["hint"]
    assert [error for line in commands_in(found["hint"]) if (error := command_error(line))] == []
    assert found_in(command, tmp_path, name, mended) == []


@pytest.mark.hints("E9301")
def test_users_software_that_skips_a_group_gets_the_toleration_of_the_hint(command: Command, tmp_path: Path) -> None:
    def found(tolerations: Objects) -> Objects:
        tree = yaml.safe_load((PROJECT / "environments" / "train-trn1.yaml").read_text())
        tree["eks"]["addons"] = {"neuron_monitor": True}
        tree["eks"]["chart_values"] = {"neuron-monitor": {"tolerations": tolerations}}
        (tmp_path / "edited.yaml").write_text(yaml.safe_dump(tree))
        ran = command("schedule", str(tmp_path / "edited.yaml"), "--format", "json")
        return [each for each in ran.document["findings"] if each["id"] == "E9301"]

    (error,) = found([])
    written = re.fullmatch(r"for trn1: add the toleration (\{.*\})", error["hint"])
    assert written
    assert found([yaml.safe_load(written[1])]) == []


def test_a_node_group_that_has_more_is_the_other_way(command: Command, tmp_path: Path) -> None:
    """`or add a node group that has more`, `or raise count.max`: the file's group is the larger one here."""
    asks = job(containers=containers(**{NEURON: "1", "memory": "64Gi"}))
    tree = yaml.safe_load((PROJECT / "environments" / "dev-inf2.yaml").read_text())
    hints = []
    for size in ("inf2.xlarge", "inf2.8xlarge"):
        tree["eks"]["node_groups"][1]["instance_type"] = size
        (tmp_path / "edited.yaml").write_text(yaml.safe_dump(tree))
        (tmp_path / "objects.yaml").write_text(yaml.safe_dump(asks))
        arguments = (str(tmp_path / "edited.yaml"), "--workload", str(tmp_path / "objects.yaml"), "--format", "json")
        ran = command("schedule", *arguments)
        hints += [each["hint"] for each in ran.document["findings"] if each["id"] == "E9302"]
    (hint,) = hints
    assert hint.endswith("or add a node group that has more")


SOURCES = (
    "local_kubernetes/model/scheduling/filters.py:node_affinity",
    "local_kubernetes/model/scheduling/filters.py:_affinity_terms",
    "local_kubernetes/model/scheduling/filters.py:_matching_affinity",
    "local_kubernetes/model/scheduling/filters.py:taint_toleration",
    "local_kubernetes/model/scheduling/filters.py:node_resources_fit",
    "local_kubernetes/model/scheduling/filters.py:_instead_of",
    "local_kubernetes/model/scheduling/dynamic_resources.py:dynamic_resources",
    "local_kubernetes/model/scheduling/dynamic_resources.py:_too_much",
    "local_kubernetes/model/scheduling/dynamic_resources.py:_instead_of",
    "local_kubernetes/model/scheduling/evaluation.py:_too_many",
    "neuron_cluster/schedulers/kubernetes/workloads/scheduling/findings.py:unknown_scheduler",
    "neuron_cluster/schedulers/kubernetes/workloads/scheduling/findings.py:unknown_kind",
)


def test_nothing_that_can_be_said_of_a_workload_is_left_out(command: Command, tmp_path: Path) -> None:
    found = [each for name, (_, objects, *_) in FITS.items() for each in found_in(command, tmp_path, name, objects)]
    assert unsaid(SOURCES, (f"{each['message']}\n{each['hint']}" for each in found)) == []
