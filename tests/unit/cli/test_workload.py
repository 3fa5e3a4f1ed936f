"""The workload verb, with the real helm; a cluster is stood in for by a program that notes how it was called."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.every_run import in_every_run

from .conftest import PROJECT, Command

pytestmark = pytest.mark.slow
GOLDEN = PROJECT / "tests" / "fixtures" / "workloads"
WITHOUT_QUEUE = ("compile-cache-warmer", "model-store", "neuron-serving", "serving-check")
"""A server may start for longer than Kueue waits, and the others request no devices."""
ARN = "arn:aws:eks:us-east-2:111122223333:cluster/train-trn2"


@pytest.fixture
def queued(tmp_path: Path) -> Path:
    """train-trn2 with a queue, and the controllers of its jobs."""
    body = yaml.safe_load((PROJECT / "environments" / "train-trn2.yaml").read_text())
    body["eks"]["node_groups"][1]["queue"] = "research"
    body["eks"]["addons"] = {**(body["eks"].get("addons") or {}), "jobset": True, "leader_worker_set": True}
    file = tmp_path / "train-trn2.yaml"
    file.write_text(yaml.safe_dump(body))
    return file


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """dev-inf2 without a way to the internet, with nothing of the cluster's own to pull from there."""
    body = yaml.safe_load((PROJECT / "environments" / "dev-inf2.yaml").read_text())
    body["network"]["nat"] = "none"
    body["eks"]["image_cache"] = True
    file = tmp_path / "private.yaml"
    file.write_text(yaml.safe_dump({**body, "name": "private"}))
    return file


def ids(document: Any) -> set[str]:
    return {found["id"] for found in document["findings"]}


def test_list_says_what_is_needed_and_where_it_runs(command: Command) -> None:
    listed = {each["chart"]: each for each in command("workload", "list", "train-trn1", "--format", "json").document}
    assert len(listed) == 8
    [group] = listed["neuron-serving"]["node_groups"]
    assert (group["name"], group["front_ends"]) == ("trn1", ["vllm_nxd"])
    needs = {need["switch"]: need["is_there"] for need in listed["neuron-serving"]["needs"]}
    assert needs["neuron_device_plugin"]
    assert not needs["keda"]
    said = command("workload", "list", "train-trn1").out
    assert "neuron-explorer" in said
    assert "OFF" in said


def claimed(chart: str) -> list[str]:
    """A claim for what the chart keeps."""
    return [] if chart in ("collectives-check", "serving-check") else ["--claim", "lustre"]


def test_list_says_why_a_workload_runs_nowhere(command: Command) -> None:
    for each in command("workload", "list", "workstation", "--format", "json").document:
        assert each["node_groups"] == []
        assert "no Kubernetes cluster" in each["why_not"][0]


def test_the_dra_driver_serves_as_well_as_the_device_plugin(command: Command) -> None:
    for name, switch in (("train-trn2u", "neuron_dra_driver"), ("train-trn2", "neuron_device_plugin")):
        for each in command("workload", "list", name, "--format", "json").document:
            if each["chart"] == "model-store":  # without devices
                continue
            assert (each["needs"][0]["switch"], each["needs"][0]["is_there"]) == (switch, True)
            assert [group["name"] for group in each["node_groups"]] == [name.removeprefix("train-")]


@pytest.mark.parametrize(
    ("chart", "arguments", "claims"),
    [
        ("collectives-check", ["--nodes", "4"], "collectives-check-node-in-4-lnc-2"),
        ("neuron-training", ["--nodes", "4"], "neuron-training-node-in-4-lnc-2"),
        ("neuron-serving", [], "neuron-serving-node-in-1-lnc-2"),
        ("neuron-serving", ["--set", "machine.neuronDevices=4"], "neuron-serving-4-neurons-lnc-2"),
        ("neuron-explorer", ["--set", "capture.enabled=true", "--set", 'capture.command=["python3"]'],
         "neuron-explorer-node-in-1-lnc-2"),
        ("compile-cache-warmer", [], None),
    ],
)  # fmt: skip
def test_what_is_rendered_for_the_dra_driver_fits(
    chart: str, arguments: list[str], claims: str | None, command: Command
) -> None:
    ran = command("workload", "render", chart, "train-trn2u", *claimed(chart), *arguments, "--format", "json")
    assert ran.status == 0
    assert not [each for each in ids(ran.document) if each.startswith("E")]
    assert ("W9220" in ids(ran.document)) is (claims == "neuron-serving-4-neurons-lnc-2")
    made = [b["metadata"]["name"] for b in ran.document["objects"] if b["kind"] == "ResourceClaimTemplate"]
    assert made == ([claims] if claims else [])
    assert ("W9225" in ids(ran.document)) is (claims == "neuron-training-node-in-4-lnc-2")


@pytest.mark.parametrize(
    ("chart", "arguments"),
    [
        ("collectives-check", ["--nodes", "4"]),
        ("neuron-training", ["--nodes", "2"]),
        ("neuron-serving", ["--nodes", "2", "--set", "replicas=2", "--set", "untested.severalNodes=true"]),
        ("neuron-serving", ["--set", "machine.neuronDevices=4", "--set", "replicas=16"]),
        ("compile-cache-warmer", []),
        ("model-store", []),
        ("neuron-explorer", ["--set", "capture.enabled=true", "--set", 'capture.command=["python3"]']),
        ("serving-check", []),
        ("batch-inference", ["--set", "machine.neuronDevices=4", "--set", "batch.pods=4"]),
    ],
)
def test_what_is_rendered_has_no_error(chart: str, arguments: list[str], queued: Path, command: Command) -> None:
    ran = command("workload", "render", chart, str(queued), *claimed(chart), *arguments, "--format", "json")
    assert ran.status == 0, ran.out
    assert not {found for found in ids(ran.document) if found.startswith("E")}
    assert ran.document["node_group"] == "trn2"
    assert ran.document["values"]["queue"]["name"] == ("" if chart in WITHOUT_QUEUE else "research")
    assert ran.document["namespace"] == "default"
    assert any(body["kind"] in ("Job", "JobSet", "LeaderWorkerSet", "Deployment") for body in ran.document["objects"])


def test_a_namespace_that_the_queues_do_not_admit_is_an_error(queued: Path, command: Command) -> None:
    ran = command("workload", "render", "collectives-check", str(queued), "--namespace", "team-a", "--format", "json")
    assert ran.status == 1
    assert "E9228" in ids(ran.document)


def test_without_a_queue_a_namespace_that_the_environment_does_not_make_is_a_warning(command: Command) -> None:
    render = ("workload", "render", "collectives-check", "train-trn2", "--queue", "", "--format", "json")
    assert "W9229" in ids(command(*render, "--namespace", "team-a").document)
    assert "W9229" not in ids(command(*render).document)


def test_a_listed_namespace_has_the_queue_and_is_the_usual_one(queued: Path, command: Command) -> None:
    body = yaml.safe_load(queued.read_text())
    body["eks"]["namespaces"] = [{"name": "team-a"}]
    queued.write_text(yaml.safe_dump(body))
    ran = command("workload", "render", "collectives-check", str(queued), "--format", "json")
    assert ran.status == 0
    assert ran.document["namespace"] == "team-a"
    other = command(
        "workload", "render", "collectives-check", str(queued), "--namespace", "default", "--format", "json"
    )
    assert "E9228" in ids(other.document)


def checkpoint_directory(objects: list[dict[str, Any]]) -> str:
    (jobs,) = [body for body in objects if body["kind"] == "JobSet"]
    pod = jobs["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    return next(str(each["value"]) for each in container["env"] if each["name"] == "CHECKPOINT_DIRECTORY")


def test_checkpoints_are_written_inside_the_folder_that_sync_mirrors(command: Command) -> None:
    """The claim holds the file system; its root is not mirrored to the bucket."""
    render = ("workload", "render", "neuron-training", "train-trn2", "--claim", "lustre", "--release", "llama")
    ran = command(*render, "--format", "json")
    assert checkpoint_directory(ran.document["objects"]) == "/checkpoints/checkpoints/default/llama"
    assert "W9230" not in ids(ran.document)
    assert "W9231" not in ids(ran.document), "the environment makes the claim"
    elsewhere = command(*render, "--namespace", "team-a", "--set", "queue.name=", "--format", "json")
    assert checkpoint_directory(elsewhere.document["objects"]) == "/checkpoints/checkpoints/llama"
    assert "W9231" in ids(elsewhere.document), "nothing makes the claim there"
    beside = command(*render, "--set", "checkpoints.folder=scratch", "--format", "json")
    assert checkpoint_directory(beside.document["objects"]) == "/checkpoints/scratch/llama"
    assert "W9230" in ids(beside.document)


def test_a_sibling_of_the_mirrored_folder_is_outside_and_a_folder_below_is_inside(command: Command) -> None:
    render = ("workload", "render", "neuron-training", "train-trn2", "--claim", "lustre", "--format", "json")
    assert "W9230" in ids(command(*render, "--set", "checkpoints.folder=checkpoints-old").document)
    assert "W9230" not in ids(command(*render, "--set", "checkpoints.folder=checkpoints/mine").document)


def test_a_namespace_with_another_queue_of_its_own_is_an_error(queued: Path, command: Command) -> None:
    body = yaml.safe_load(queued.read_text())
    body["eks"]["namespaces"] = [{"name": "team-a"}, {"name": "team-b", "queue": "batch"}]
    body["eks"]["node_groups"][0]["queue"] = "batch"
    queued.write_text(yaml.safe_dump(body))
    render = ("workload", "render", "collectives-check", str(queued), "--queue", "research", "--format", "json")
    ran = command(*render, "--namespace", "team-b")
    assert ran.status == 1
    (found,) = [each for each in ran.document["findings"] if each["id"] == "E9228"]
    assert "gives team-b the queue batch alone" in found["message"]
    assert "use --namespace team-a" in found["hint"]
    assert "E9228" not in ids(command(*render, "--namespace", "team-a").document)


@pytest.mark.parametrize("namespace", ["kube-system", "kueue-system"])
def test_a_namespace_that_kueue_leaves_out_is_an_error(namespace: str, queued: Path, command: Command) -> None:
    ran = command("workload", "render", "collectives-check", str(queued), "--namespace", namespace, "--format", "json")
    assert ran.status == 1
    assert "E9226" in ids(ran.document)
    assert "E9228" not in ids(ran.document)


def test_what_fits_nowhere_is_said_once_with_what_helps(command: Command) -> None:
    """Not once more of the pod of ``helm test``, and not with advice to ask for less."""
    render = ("workload", "render", "neuron-serving", "train-trn2", "--claim", "c", "--format", "json")
    for setting, text in (
        ("tolerations=[]", "remove tolerations"),
        ("machine.memoryGib=4000", "GiB of memory at most"),
    ):
        found = [each for each in command(*render, "--set", setting).document["findings"] if each["id"] == "E9210"]
        assert [text in each["hint"] for each in found] == [True]


def test_a_value_of_another_form_is_told_without_a_pattern(command: Command) -> None:
    ran = command("workload", "render", "neuron-serving", "train-trn2", "--claim", "A b", "--format", "json")
    messages = [each["message"] for each in ran.document["findings"] if each["id"] == "E9213"]
    assert messages
    assert not [each for each in messages if "pattern" in each or "^" in each]


def test_kubeflow_trainer_brings_jobset_too(queued: Path, command: Command) -> None:
    body = yaml.safe_load(queued.read_text())
    body["eks"]["addons"] = {"kubeflow_trainer": True}
    queued.write_text(yaml.safe_dump(body))
    listed = {each["chart"]: each for each in command("workload", "list", str(queued), "--format", "json").document}
    needs = {need["switch"]: need["is_there"] for need in listed["neuron-training"]["needs"]}
    assert needs["jobset"]
    assert not {need["switch"]: need["is_there"] for need in listed["neuron-serving"]["needs"]}["keda"]


def test_a_whole_values_file(command: Command) -> None:
    """The golden: `workload render neuron-serving train-trn2 --claim lustre --values-only`."""
    ran = command("workload", "render", "neuron-serving", "train-trn2", "--claim", "lustre", "--values-only")
    assert ran.status == 0
    assert ran.out == (GOLDEN / "neuron-serving-train-trn2.yaml").read_text()


def test_objects_go_to_standard_output_and_findings_to_standard_error(command: Command) -> None:
    ran = command(
        "workload", "render", "collectives-check", "train-trn2", "--release", "check", "--namespace", "default"
    )
    objects = [body for body in yaml.safe_load_all(ran.out) if body]
    assert {"Job", "Service", "ConfigMap"} <= {body["kind"] for body in objects}
    assert all(body["metadata"]["name"].startswith("check") for body in objects)
    assert "W9218" in ran.err


def test_the_budget_of_a_start_is_on_standard_error_and_in_json(command: Command) -> None:
    render = ("workload", "render", "neuron-serving", "train-trn2", "--claim", "lustre", "--queue", "training")
    ran = command(*render)
    lead, *steps = ran.err.splitlines()[:5]
    assert lead == "start: cold 69 min, warm 15 min; time-outs in min: Kueue 180, startup probe 61"
    assert [step.split("cold")[0].strip() for step in steps] == ["node joins", "image pull", "compile", "load"]
    data = command(*render, "--format", "json").document["startup"]
    assert (data["cold_seconds"], data["warm_seconds"]) == (6 * 60 + 8 * 60 + 55 * 60, 15 * 60)
    assert [limit["name"] for limit in data["limits"]] == ["Kueue", "startup probe"]


def test_sarif_has_the_findings_alone(command: Command) -> None:
    ran = command("workload", "render", "collectives-check", "train-trn2", "--format", "sarif")
    assert ran.status == 0
    assert "W9218" in {result["ruleId"] for result in ran.document["runs"][0]["results"]}
    ran = command("workload", "render", "neuron-training", "train-trn2", "--nodes", "99", "--format", "sarif")
    assert ran.status == 1
    assert {result["level"] for result in ran.document["runs"][0]["results"]} >= {"error"}


def test_a_folder_gets_values_and_objects_and_a_file_what_was_asked_for(command: Command, tmp_path: Path) -> None:
    render = ("workload", "render", "collectives-check", "train-trn2")
    assert command(*render, "--output", f"{tmp_path}/out/").status == 0
    assert yaml.safe_load((tmp_path / "out" / "values.yaml").read_text())["nodes"] == 2
    assert "kind: Job" in (tmp_path / "out" / "objects.yaml").read_text()
    assert command(*render, "--values-only", "--output", str(tmp_path / "mine.yaml")).out == ""
    assert (tmp_path / "mine.yaml").read_text() == (tmp_path / "out" / "values.yaml").read_text()


SERVING, TRAINING, CHECK = (f"{name} train-trn2" for name in ("neuron-serving", "neuron-training", "collectives-check"))
DRA_TRAINING, DRA_SERVING = "neuron-training train-trn2u", "neuron-serving train-trn2u"
LARGER, WITH_NODES = {"count": {"min": 0, "desired": 0, "max": 9}}, {"count": {"min": 0, "desired": 2, "max": 4}}
MOUNTED = ("weights.source=mountpoint", "weights.url=s3://models/llama", "weights.sizeGib=100")
TWO_NODES = ("nodesPerReplica=2", "untested.severalNodes=true")
TEAM = {"namespaces": [{"name": "team-a"}]}
Values = tuple[str, ...]
HINTS: list[tuple[str, Values, str, str, list[tuple[Values, dict[str, Any]]]]] = [
    # what is rendered, with which values; the id and a part of the hint; what it says, with edits of the environment
    ("neuron-srving train-trn2", (), "E9201", "did you mean neuron-serving", [((), {})]),
    ("nothing train-trn2", (), "E9201", "neuron-serving", [((), {})]),
    (SERVING, ('replicas="1"',), "E9213", "write it as a number: --set replicas=1", [(("replicas=1",), {})]),
    (SERVING, ("model.name=1",), "E9213", """--set 'model.name="1"'""", [(('model.name="1"',), {})]),
    (SERVING, ("model.nam=x",), "E9213", "did you mean name?", [(("model.name=x",), {})]),
    (SERVING, ("model.tensorParallelSize=65",), "E9213", "charts/neuron-serving/values.yaml documents each key",
     [(("model.tensorParallelSize=64",), {})]),
    (SERVING, ("weights.claim=A b",), "E9213", "values.schema.json has the format", [(("weights.claim=a-b",), {})]),
    (TRAINING, ("controller=trainjob",), "E9213", "values.yaml documents each key",
     [(("controller=jobset",), {})]),
    (SERVING, ("machine.neuronDevices=64",), "E9210", "request 16 aws.amazon.com/neuron at most",
     [(("machine.neuronDevices=16",), {})]),
    (SERVING, ("machine.memoryGib=4000",), "E9210", "request 1882 GiB of memory at most",
     [(("machine.memoryGib=1882",), {})]),
    (SERVING, ("tolerations=[]",), "E9210", "remove tolerations", [((), {})]),
    (SERVING, ("machine.instanceType=trn1.2xlarge",), "E9210",
     "remove machine.instanceType and machine.nodeGroup", [((), {})]),
    ("neuron-serving train-trn3", (), "E9210", "--set machine.memoryGib=N",
     [(('machine.cpu="100"', "machine.memoryGib=500"), {})]),
    ("neuron-serving train-trn3", (), "E9210", """--set 'machine.cpu="N"'""",
     [(('machine.cpu="100"', "machine.memoryGib=500"), {})]),
    (SERVING, ("replicas=9",), "E9211", "request 4 at most, or raise count.max of trn2 to 9",
     [(("replicas=4",), {}), (("replicas=9",), LARGER)]),
    (SERVING, TWO_NODES, "E9209", "set eks.addons.leader_worker_set: true and deploy",
     [(TWO_NODES, {"addons": {"leader_worker_set": True}})]),
    (TRAINING, ("controller=mpijob",), "E9209", "and set eks.installed_otherwise: [mpi_operator]",
     [(("controller=mpijob",), {"installed_otherwise": ["mpi_operator"]}), (("controller=jobset",), {})]),
    (TRAINING, ("controller=pytorchjob",), "E9209", "leave controller at jobset", [(("controller=jobset",), {})]),
    (SERVING, MOUNTED, "E9209", "set eks.addons.mountpoint_s3_csi_driver: true and deploy",
     [(MOUNTED, {"addons": {"mountpoint_s3_csi_driver": True}})]),
    (SERVING, ("replicas=2",), "W9218", "raise count.desired of trn2 to 2", [(("replicas=2",), WITH_NODES)]),
    (TRAINING, ("schedulerName=nope",), "E9222", "leave it empty, or name one of these: default-scheduler",
     [(("schedulerName=",), {}), (("schedulerName=default-scheduler",), {})]),
    (CHECK, ("--namespace=kube-system",), "E9226", "use --namespace default", [(("--namespace=default",), {})]),
    (CHECK, ("--namespace=team-a",), "E9228", "use --namespace default, or add `- name: team-a` to eks.namespaces",
     [(("--namespace=default",), {}), (("--namespace=team-a",), TEAM)]),
    (CHECK, ("--namespace=team-a", "--queue="), "W9229", "or add `- name: team-a` to eks.namespaces and deploy",
     [(("--namespace=team-a", "--queue="), TEAM)]),
    (DRA_SERVING, ("machine.neuronDevices=4",), "W9220", "claim whole nodes of trn2u where the values allow",
     [(("machine.neuronDevices=16",), {})]),
    (DRA_TRAINING, ("nodes=4", "ultraServer.size=4"), "W9225", "ultraServer.size=0 requests none",
     [(("nodes=4", "ultraServer.size=0"), {})]),
]  # fmt: skip
"""W9218 of more than one kind of pods is in the test below; W9219 and W9231 want something in the cluster."""


REPEATED = [
    # others whose hint writes the same keys, or which tests above render too
    *(row for row in HINTS if row[3] in ("neuron-serving", "charts/neuron-serving/values.yaml documents each key")),
    *(row for row in HINTS if row[3] in ("values.schema.json has the format", "request 1882 GiB of memory at most")),
    *(row for row in HINTS if row[3] in ("remove tolerations", "--set machine.memoryGib=N")),
    *(row for row in HINTS if row[1] in (MOUNTED, ('replicas="1"',))),
]
OF_EACH_HINT = in_every_run(HINTS, [row for row in HINTS if row not in REPEATED])


def arguments_of(values: Values) -> list[str]:
    """Options as they are, keys and values by ``--set``."""
    return [part for each in values for part in ((each,) if each.startswith("--") else ("--set", each))]


def rendered(command: Command, folder: Path, chart: str, environment: str, values: Values, eks: dict[str, Any]) -> Any:
    """Returns `workload render` on a shipped environment with other keys of its cluster or its Neuron group."""
    body = yaml.safe_load((PROJECT / "environments" / f"{environment}.yaml").read_text())
    for key, value in eks.items():
        place = body["eks"]["node_groups"][1] if key == "count" else body["eks"]
        place[key] = {**place.get(key, {}), **value} if isinstance(value, dict) else value
    file = folder / f"{environment}.yaml"
    file.write_text(yaml.safe_dump(body))
    arguments = [*claimed(chart), *arguments_of(values), "--values-only", "--format", "json"]
    ran = command("workload", "render", chart, str(file), *arguments)
    return ran.document["findings"]


@pytest.mark.hints(
    "E9201", "E9209", "E9210", "E9211", "E9213", "W9218", "W9220", "E9222", "W9225", "E9226", "E9228", "W9229"
)
@pytest.mark.parametrize(("what", "values", "finding_id", "hint", "ways"), OF_EACH_HINT)
def test_what_is_rendered_as_the_hint_says_has_no_such_finding(
    what: str,
    values: Values,
    finding_id: str,
    hint: str,
    ways: list[tuple[Values, dict[str, Any]]],
    command: Command,
    tmp_path: Path,
) -> None:
    chart, environment = what.split()
    found = [f for f in rendered(command, tmp_path, chart, environment, values, {}) if f["id"] == finding_id]
    assert [each for each in found if hint in each["hint"]], found
    for said, edits in ways:
        after = rendered(
            command, tmp_path, "neuron-serving" if finding_id == "E9201" else chart, environment, said, edits
        )
        assert [each for each in after if each["id"] == finding_id or each["id"].startswith("E")] == []


@pytest.mark.hints("E9209")
def test_a_pytorchjob_on_hyperpod_needs_job_auto_resume(command: Command, tmp_path: Path) -> None:
    """`workload render` and `validate` of the file that the hint describes have no error."""
    body = yaml.safe_load((PROJECT / "environments" / "hyperpod-trn2.yaml").read_text())
    file = tmp_path / "hyperpod-trn2.yaml"
    found = []
    for resumes in (False, True):
        body["hyperpod"]["job_auto_resume"] = resumes
        file.write_text(yaml.safe_dump(body))
        chosen = ("--set", "controller=pytorchjob", "--claim", "lustre", "--nodes", "2", "--format", "json")
        ran = command("workload", "render", "neuron-training", str(file), *chosen)
        found.append([each for each in ran.document["findings"] if each["severity"] == "error"])
    (missing,) = found[0]
    assert (missing["id"], missing["hint"]) == (
        "E9209",
        "set hyperpod.job_auto_resume: true and deploy; or leave controller at jobset",
    )
    assert found[1] == []
    assert command("validate", str(file)).status == 0


def test_leader_and_workers_need_their_nodes_at_once(command: Command, tmp_path: Path) -> None:
    """The number in the hint is that of both, for either of them."""
    software = {"addons": {"leader_worker_set": True}}
    values = ("nodesPerReplica=4", "untested.severalNodes=true")
    found = [
        f for f in rendered(command, tmp_path, "neuron-serving", "train-trn2", values, software) if f["id"] == "W9218"
    ]
    assert {each["hint"].partition(" and ")[0] for each in found} == {"raise count.desired of trn2 to 4"}
    enough = {**software, "count": {"min": 0, "desired": 4, "max": 4}}
    after = rendered(command, tmp_path, "neuron-serving", "train-trn2", values, enough)
    assert [each for each in after if each["id"] == "W9218"] == []


@pytest.mark.parametrize("output_format", [["--format", "json"], []])
def test_what_cannot_run_is_told_and_nothing_is_written(
    output_format: list[str], command: Command, tmp_path: Path
) -> None:
    place = tmp_path / "out.yaml"
    render = ("workload", "render", "neuron-serving", "train-trn2", "--claim", "c", "--set", "machine.neuronDevices=64")
    ran = command(*render, "--output", str(place), *output_format)
    assert ran.status == 1
    assert "E9210" in ran.out + ran.err
    assert bool(ran.out) == bool(output_format)
    assert not place.exists()


def test_a_scheduler_that_the_environment_has_may_be_named(queued: Path, command: Command) -> None:
    body = yaml.safe_load(queued.read_text())
    body["eks"]["addons"]["neuron_scheduler"] = True
    queued.write_text(yaml.safe_dump(body))
    for name in ("my-scheduler", "default-scheduler"):
        ran = command("workload", "render", "neuron-training", str(queued), "--set", f"schedulerName={name}")
        assert ran.status == 0, ran.err


@pytest.mark.hints("W9227")
def test_some_chips_of_a_node_want_the_scheduler_that_knows_how_they_lie(queued: Path, command: Command) -> None:
    body = yaml.safe_load(queued.read_text())
    body["eks"]["addons"]["neuron_scheduler"] = True
    queued.write_text(yaml.safe_dump(body))
    for chart in ("neuron-training", "neuron-serving", "compile-cache-warmer"):
        render = ("workload", "render", chart, str(queued), *claimed(chart), "--values-only", "--format", "json")
        scheduler = ("--set", "schedulerName=my-scheduler")
        some = ("--set", "machine.neuronDevices=4", "--set", "machine.neuronCores=16")
        (warning,) = [each for each in command(*render, *some).document["findings"] if each["id"] == "W9227"]
        assert "4 of the 16 aws.amazon.com/neuron of a node of trn2" in warning["message"]
        assert "write schedulerName: my-scheduler, or " in warning["hint"]
        assert "W9227" not in ids(command(*render).document) | ids(command(*render, *some, *scheduler).document)


def test_a_private_network_cannot_pull_public_images(private: Path, command: Command) -> None:
    """Through the environment's cache it can; an image of one's own from a public registry is refused."""
    render = ("workload", "render", "collectives-check", str(private), "--format", "json")
    assert command(*render).status == 0
    own = command(*render, "--set", "image.repository=public.ecr.aws/mine/image", "--set", "image.tag=1")
    assert own.status == 1
    assert ids(own.document) == {"E9208", "W9244"}


@pytest.fixture
def stub_helm(tmp_path: Path) -> Path:
    """A helm that writes down its command line and its standard input, and fails for the release `refused`."""
    stub = tmp_path / "helm"
    stub.write_text(
        f"#!{sys.executable}\n"
        "import json, pathlib, sys\n"
        "note = pathlib.Path(__file__).with_suffix('.json')\n"
        "note.write_text(json.dumps({'arguments': sys.argv[1:], 'values': json.load(sys.stdin)}))\n"
        "if 'refused' in sys.argv: sys.exit('Error: another operation is in progress')\n"
        "if 'noisy' in sys.argv: sys.stdout.buffer.write(b'NOTES:\\n\\x1b[2J\\xff\\tok\\n'); sys.exit(0)\n"
        "print('STATUS: deployed')\n"
    )
    stub.chmod(0o755)
    return stub


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Path:
    file = tmp_path / "kubeconfig"
    contexts = [{"name": "trn2", "context": {"cluster": ARN}}, {"name": "other", "context": {"cluster": f"{ARN}b"}}]
    file.write_text(yaml.safe_dump({"contexts": contexts}))
    return file


def submit_arguments(stub: Path, kubeconfig: Path, context: str, *more: str) -> list[str]:
    where = ["--context", context, "--namespace", "default", "--kubeconfig", str(kubeconfig), "--helm", str(stub)]
    return ["workload", "submit", "collectives-check", "train-trn2", *where, *more]


def test_submit_installs_the_chosen_values_in_the_named_context(
    stub_helm: Path, kubeconfig: Path, command: Command
) -> None:
    ran = command(*submit_arguments(stub_helm, kubeconfig, "trn2", "--release", "check"))
    assert (ran.status, ran.out) == (0, "STATUS: deployed\n")
    noted = json.loads(stub_helm.with_suffix(".json").read_text())
    assert noted["arguments"] == [
        *("upgrade", "--install", "check", str(PROJECT / "charts" / "collectives-check")),
        *("--namespace", "default", "--kube-context", "trn2", "--kubeconfig", str(kubeconfig), "--values", "-"),
    ]
    shown = command("workload", "render", "collectives-check", "train-trn2", "--values-only").out
    assert noted["values"] == yaml.safe_load(shown)


def test_what_helm_tells_reaches_the_terminal_without_control_characters(
    stub_helm: Path, kubeconfig: Path, command: Command
) -> None:
    """Also where it is no UTF-8."""
    ran = command(*submit_arguments(stub_helm, kubeconfig, "trn2", "--release", "noisy"))
    assert (ran.status, ran.out) == (0, "NOTES:\n\\x1b[2J\ufffd   ok\n")


def test_submit_with_dry_run_prints_the_command_and_runs_nothing(
    stub_helm: Path, kubeconfig: Path, command: Command
) -> None:
    ran = command(*submit_arguments(stub_helm, kubeconfig, "trn2", "--dry-run"))
    assert ran.status == 0
    assert ran.out.startswith(f"{stub_helm} upgrade --install collectives-check ")
    assert "--kube-context trn2" in ran.out
    assert not stub_helm.with_suffix(".json").exists()


@pytest.mark.parametrize(
    ("context", "more", "text"),
    [
        ("other", [], "E9214"),
        ("nope", [], "has no context nope"),
        ("trn2", ["--set", "machine.neuronDevices=64"], "E9210"),
        ("trn2", ["--set", "nodes=9"], "E9205"),
    ],
)
def test_submit_refuses_and_runs_nothing(
    context: str, more: list[str], text: str, stub_helm: Path, kubeconfig: Path, command: Command
) -> None:
    ran = command(*submit_arguments(stub_helm, kubeconfig, context, *more))
    assert ran.status == 1
    assert text in ran.err
    assert ran.out == ""
    assert not stub_helm.with_suffix(".json").exists()


def test_what_helm_refuses_is_told(stub_helm: Path, kubeconfig: Path, command: Command) -> None:
    ran = command(*submit_arguments(stub_helm, kubeconfig, "trn2", "--release", "refused"))
    assert ran.status == 1
    assert "error: another operation is in progress" in ran.err
    assert "--context trn2" in ran.err
    missing = command(*submit_arguments(stub_helm.with_name("none"), kubeconfig, "trn2"))
    assert missing.status == 1
    assert "cannot be run" in missing.err


def test_the_usual_kubeconfig_is_looked_for_as_kubectl_does(
    stub_helm: Path, kubeconfig: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join([str(kubeconfig.with_name("none")), str(kubeconfig)]))
    arguments = submit_arguments(stub_helm, kubeconfig, "trn2")
    position = arguments.index("--kubeconfig")
    assert command(*arguments[:position], *arguments[position + 2 :]).status == 0
    assert "--kubeconfig" not in json.loads(stub_helm.with_suffix(".json").read_text())["arguments"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["render", "collectives-check", "train-trn2", "--nodes", "0"],
        ["render", "collectives-check", "train-trn2", "--release", "Bad Name"],
        ["render", "collectives-check", "train-trn2", "--namespace", "-"],
        ["submit", "collectives-check", "train-trn2", "--namespace", "a"],
        ["submit", "collectives-check", "train-trn2", "--context", "a"],
        ["rendr", "collectives-check", "train-trn2"],
    ],
)
def test_a_wrong_command_line_ends_with_2(arguments: list[str], command: Command) -> None:
    assert command("workload", *arguments).status == 2


def test_a_place_that_is_no_file_or_in_no_folder_is_refused(command: Command, tmp_path: Path) -> None:
    """A program that runs as root would otherwise put a file in the place of a device."""
    render = ("workload", "render", "collectives-check", "train-trn2", "--output")
    os.mkfifo(tmp_path / "pipe")
    for place, text in (("pipe", "pipe is not a regular file"), ("mistyped/x", "there is no folder")):
        ran = command(*render, str(tmp_path / place))
        assert (ran.status, ran.out) == (1, "")
        assert text in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
    empty = command(*render, "")
    assert (empty.status, empty.out) == (2, "")
    assert "the path is empty" in empty.err
