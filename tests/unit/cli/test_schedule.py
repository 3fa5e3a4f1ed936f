"""`schedule` on the command line."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import yaml

from .conftest import PROJECT, Command

AGENT = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "agent"},
    "spec": {"template": {"spec": {"containers": [{"name": "main"}]}}},
}
ON_NEURON: dict[str, Any] = {
    "tolerations": [{"key": "aws.amazon.com/neuron", "operator": "Exists"}],
    "containers": [{"name": "main", "resources": {"limits": {"aws.amazon.com/neuron": 16}}}],
}
JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "train"},
    "spec": {"parallelism": 2, "template": {"spec": ON_NEURON}},
}


RESTRICTED = {
    "runAsNonRoot": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}
"""The security context of a container that the Pod Security level restricted lets pass."""


def secured(part: Any) -> Any:
    """The same, with a security context for each container without one."""
    if isinstance(part, list):
        return [secured(each) for each in part]
    if not isinstance(part, dict):
        return part
    found = {key: secured(value) for key, value in part.items()}
    for place in ("initContainers", "containers"):
        if isinstance(found.get(place), list):
            found[place] = [{"securityContext": RESTRICTED, **each} for each in found[place]]
    return found


def written(folder: Path, *objects: object, name: str = "job.yaml") -> str:
    (folder / name).write_text(yaml.safe_dump_all(secured(list(objects))))
    return str(folder / name)


def environment(folder: Path, **eks: object) -> str:
    """train-trn1 with other keys below ``eks``."""
    tree = yaml.safe_load((PROJECT / "environments" / "train-trn1.yaml").read_text())
    tree["eks"] |= eks
    return written(folder, tree, name="edited.yaml")


def claiming(count: int = 16) -> list[dict[str, object]]:
    """A Job whose pod claims devices, and the template of the claim."""
    request = {"name": "neurons", "exactly": {"deviceClassName": "neuron.aws.com", "count": count}}
    pod = {
        "tolerations": ON_NEURON["tolerations"],
        "containers": [{"name": "main", "resources": {"claims": [{"name": "chips"}]}}],
        "resourceClaims": [{"name": "chips", "resourceClaimTemplateName": "node"}],
    }
    job = {**JOB, "spec": {"template": {"spec": pod}}}
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "node"},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }
    return [job, template]


@pytest.mark.parametrize(
    ("switch", "count", "status", "text"),
    [
        ("neuron_dra_driver", 16, 0, "16 of device class neuron.aws.com"),
        ("neuron_dra_driver", 17, 1, "claims 17 of device class neuron.aws.com, but a node has 16"),
        ("neuron_device_plugin", 16, 1, "which no driver publishes"),
    ],
)
def test_a_claim_is_held_against_what_the_driver_publishes(
    switch: str, count: int, status: int, text: str, command: Command, tmp_path: Path
) -> None:
    """The Job and its template stand in two files of a folder."""
    edited = environment(tmp_path, addons={switch: True})
    (tmp_path / "mine").mkdir()
    for number, body in enumerate(claiming(count)):
        written(tmp_path / "mine", body, name=f"{number}.yaml")
    ran = command("schedule", edited, "--workload", str(tmp_path / "mine"))
    assert ran.status == status
    assert text in " ".join(f"{ran.out} {ran.err}".split())


def test_sarif_has_the_findings_alone(command: Command, tmp_path: Path) -> None:
    edited = environment(tmp_path, addons={"neuron_dra_driver": True})
    job = written(tmp_path, *claiming(17))
    ran = command("schedule", edited, "--workload", job, "--format", "sarif")
    assert ran.status == 1
    found = {result["ruleId"]: result["locations"] for result in ran.document["runs"][0]["results"]}
    assert found["E9302"][0]["physicalLocation"]["artifactLocation"]["uri"] == Path(job).as_uri()


def test_a_template_that_is_not_there_is_a_finding_in_doubt(command: Command, tmp_path: Path) -> None:
    edited = environment(tmp_path, addons={"neuron_dra_driver": True})
    job, _ = claiming()
    ran = command("schedule", edited, "--workload", written(tmp_path, job))
    assert ran.status == 0
    assert "W9303" in ran.err
    assert "ResourceClaimTemplate node" in " ".join(ran.err.split())


@pytest.mark.parametrize("name", ["train-trn1", "train-trn3"])
def test_the_shipped_software_runs_and_the_text_fits_80_columns(name: str, command: Command) -> None:
    ran = command("schedule", name)
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "ds neuron-device-plugin" in ran.out
    assert "!system" not in ran.out


def test_a_wide_terminal_gets_namespaces_and_software(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    ran = command("schedule", "train-trn1")
    assert "kube-system/aws-node" in ran.out
    assert "vpc-cni" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 200


def test_json_holds_nodes_workloads_and_findings(command: Command) -> None:
    document = command("schedule", "train-trn1", "--format", "json").document
    assert set(document) == {"nodes", "workloads", "findings"}
    (trn1,) = [node for node in document["nodes"] if node["group"] == "trn1"]
    assert trn1["taints"] == [{"key": "aws.amazon.com/neuron", "value": "true", "effect": "NoSchedule"}]
    assert trn1["free_allocatable"]["cpu"] < 128_000
    (dns,) = [each for each in document["workloads"] if each["workload"] == "Deployment kube-system/coredns"]
    assert [(on["group"], on["fits"]) for on in dns["groups"]] == [("system", True), ("trn1", False)]
    assert (dns["fails"], dns["replicas"], dns["software"]) == (False, 2, "coredns")


def test_a_workload_that_fits_is_shown_alone(command: Command, tmp_path: Path) -> None:
    ran = command("schedule", "train-trn1", "--workload", written(tmp_path, JOB), "--format", "json")
    assert ran.status == 0
    (job,) = ran.document["workloads"]
    assert [on["at_max"] for on in job["groups"]] == [0, 16]


def test_a_workload_that_does_not_fit_is_a_finding_in_its_file(command: Command, tmp_path: Path) -> None:
    job = yaml.safe_load(yaml.safe_dump(JOB))
    job["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["aws.amazon.com/neuron"] = 17
    file = written(tmp_path, job, AGENT)
    ran = command("schedule", "train-trn1", "--workload", file, "--format", "json")
    assert ran.status == 1
    (finding,) = [each for each in ran.document["findings"] if each["severity"] == "error"]
    assert (finding["id"], finding["file"]) == ("E9302", file)
    assert "trn1: requests 17 aws.amazon.com/neuron, but a node has 16 free" in finding["message"]


def test_a_scheduler_that_the_environment_does_not_have_is_a_finding(command: Command, tmp_path: Path) -> None:
    job = written(tmp_path, {**JOB, "spec": {"template": {"spec": {**ON_NEURON, "schedulerName": "my-scheduler"}}}})
    without = command("schedule", "train-trn1", "--workload", job, "--format", "json")
    assert without.status == 1
    (finding,) = [each for each in without.document["findings"] if each["id"] == "E9305"]
    assert "my-scheduler" in finding["message"]
    assert "default-scheduler" in finding["hint"]
    with_it = environment(tmp_path, addons={"neuron_scheduler": True})
    assert command("schedule", with_it, "--workload", job).status == 0


@pytest.mark.hints("W9306")
@pytest.mark.parametrize(("resource", "few", "whole"), [("neuron", 4, 16), ("neuroncore", 8, 32)])
def test_devices_that_need_not_be_connected_are_a_warning(
    resource: str, few: int, whole: int, command: Command, tmp_path: Path
) -> None:
    def found(environment: str, asked: int, scheduler: str = "") -> list[dict[str, str]]:
        limits = {f"aws.amazon.com/{resource}": asked}
        pod = {**ON_NEURON, "schedulerName": scheduler, "containers": [{"name": "a", "resources": {"limits": limits}}]}
        job = written(tmp_path, {**JOB, "spec": {"template": {"spec": pod}}}, name=f"{asked}.yaml")
        ran = command("schedule", environment, "--workload", job, "--format", "json")
        assert ran.status == 0
        return [each for each in ran.document["findings"] if each["id"] == "W9306"]

    (warning,) = found("train-trn1", few)
    assert f"Job default/train requests {few} of the {whole} aws.amazon.com/{resource} of a node" in warning["message"]
    assert warning["hint"].startswith("set eks.addons.neuron_scheduler: true and ")
    assert warning["hint"].endswith("or request one device or a whole node")
    assert found("train-trn1", 1) == found("train-trn1", whole) == []
    with_it = environment(tmp_path, addons={"neuron_scheduler": True})
    (warning,) = found(with_it, few, "default-scheduler")
    assert warning["hint"].startswith("write schedulerName: my-scheduler, or ")
    assert found(with_it, few, "my-scheduler") == []


@pytest.mark.hints("W9306")
@pytest.mark.parametrize(
    ("resource", "asked"),
    [("neuron", 12), *(pytest.param("neuroncore", cores, marks=pytest.mark.exhaustive) for cores in (3, 24))],
)
@pytest.mark.parametrize("scheduler", ["default-scheduler", "my-scheduler"])
def test_a_number_of_unconnected_devices_is_a_warning_with_every_scheduler(
    resource: str, asked: int, scheduler: str, command: Command, tmp_path: Path
) -> None:
    container = {"name": "a", "resources": {"limits": {f"aws.amazon.com/{resource}": asked}}}
    pod = {**ON_NEURON, "schedulerName": scheduler, "containers": [container]}
    job = written(tmp_path, {**JOB, "spec": {"template": {"spec": pod}}})
    with_it = environment(tmp_path, addons={"neuron_scheduler": True})
    ran = command("schedule", with_it, "--workload", job, "--format", "json")
    (warning,) = [each for each in ran.document["findings"] if each["id"] == "W9306"]
    assert "1, 4, 8 or 16 devices of such a node are connected" in warning["message"]
    assert warning["hint"] == "request 1, 4, 8 or 16 aws.amazon.com/neuron"


@pytest.mark.hints("W9307")
def test_a_job_that_waits_for_a_larger_desired_size_is_a_warning(command: Command, tmp_path: Path) -> None:
    def found(desired: int) -> list[dict[str, str]]:
        tree = yaml.safe_load((PROJECT / "environments" / "train-trn2.yaml").read_text())
        tree["eks"]["node_groups"][1]["count"]["desired"] = desired
        job = written(tmp_path, JOB)
        ran = command("schedule", written(tmp_path, tree, name="edited.yaml"), "--workload", job, "--format", "json")
        assert ran.status == 0
        return [each for each in ran.document["findings"] if each["id"] == "W9307"]

    (warning,) = found(0)
    assert warning["message"] == (
        "Job default/train has 2 pods at once and stays Pending: at count.desired its groups run trn2 0"
    )
    assert warning["hint"] == "raise count.desired of trn2 to 2, and deploy"
    assert found(1)
    assert found(2) == []


def test_what_has_no_verdict_is_said_beside_those_that_have_one(command: Command, tmp_path: Path) -> None:
    broken = {**AGENT, "metadata": {"name": "broken"}}
    broken["spec"] = {"template": {"spec": {"containers": [{"name": "main"}], "nodeSelector": {"team": 7}}}}
    unknown = {"apiVersion": "kubeflow.org/v1", "kind": "TFJob", "metadata": {"name": "y"}}
    unknown["spec"] = {"tfReplicaSpecs": {"Worker": {"replicas": 500, "template": {"spec": ON_NEURON}}}}
    only_unknown = command("schedule", "train-trn1", "--workload", written(tmp_path, JOB, unknown), "--format", "json")
    assert only_unknown.status == 0
    file = written(tmp_path, JOB, broken, unknown)
    ran = command("schedule", "train-trn1", "--workload", file, "--format", "json")
    assert ran.status == 1
    assert [each["workload"] for each in ran.document["workloads"]] == ["Job default/train"]
    found = {each["id"]: each for each in ran.document["findings"] if each["file"] == file}
    assert found["E8814"]["path"] == "DaemonSet/broken spec.template.spec.nodeSelector.team"
    assert found["W9304"]["message"] == "not checked: TFJob/y (kubeflow.org/v1): the pods of this kind are not known"


def test_of_a_workload_without_any_verdict_no_other_one_is_shown(command: Command, tmp_path: Path) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}
    pod["spec"] = {"nodeSelector": {"team": 7}, "containers": [{"name": "main"}]}
    ran = command("schedule", "train-trn1", "--workload", written(tmp_path, pod))
    assert ran.status == 1
    assert "E8814" in ran.err
    assert "Will it schedule?" not in ran.out


def test_a_folder_is_read_at_every_depth_and_standard_input_too(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    written(tmp_path, AGENT)
    written(tmp_path / "deep", JOB, name="b.yml")
    (tmp_path / "README.md").write_text("no object: {")
    folder = command("schedule", "train-trn1", "--workload", str(tmp_path), "--format", "json").document["workloads"]
    assert [each["workload"] for each in folder] == ["Job default/train", "DaemonSet default/agent"]
    monkeypatch.setattr("sys.stdin", io.StringIO(yaml.safe_dump(AGENT)))
    piped = command("schedule", "train-trn1", "--workload", "-", "--format", "json").document["workloads"]
    assert [each["workload"] for each in piped] == ["DaemonSet default/agent"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "cannot be read as YAML"),
        ("kind: Pod\nmetadata:\n  {{- with .Values }}\n", "render the chart first"),
        ("---\n---\napiVersion: v1\n", "given.yaml: document 2 is not a Kubernetes object: kind is missing\n"),
        ("{apiVersion: v1, kind: List, items: 5}", "given.yaml: document 1 is a List whose items are not a list"),
        ("[" * 5000, "given.yaml cannot be read as YAML: nested deeper"),
        ("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", "no object that makes pods"),
        ("", "no object that makes pods"),
        (
            "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{resources: {limits: {cpu: x}}}]}}",
            "'x' is not a valid quantity",
        ),
        ("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: []}}", "containers is empty"),
        (
            "{apiVersion: k/v1, kind: PyTorchJob, metadata: {name: y}, spec: {containers: [{}]}}",
            "not checked: PyTorchJob/y (k/v1)",
        ),
    ],
)
def test_what_holds_no_pods_is_refused_in_words(text: str, said: str, command: Command, tmp_path: Path) -> None:
    file = tmp_path / "given.yaml"
    file.write_text(text)
    ran = command("schedule", "train-trn1", "--workload", str(file))
    assert ran.status == 1
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no-such-file.yaml", "no-such-file.yaml cannot be read: No such file or directory\n"),
        ("empty", "empty contains no file"),
        ("chart", "render the chart first"),
        ("", "the file name is empty"),
    ],
)
def test_a_name_that_means_no_objects_is_refused_in_words(
    name: str, said: str, command: Command, tmp_path: Path
) -> None:
    for folder in ("empty", "chart"):
        (tmp_path / folder).mkdir()
    (tmp_path / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: a-chart\n")
    written(tmp_path / "chart", JOB)
    ran = command("schedule", "train-trn1", "--workload", str(tmp_path / name) if name else "")
    assert ran.status == 1
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert "Errno" not in ran.err


def test_an_error_of_the_plan_is_shown_beside_the_table(command: Command, tmp_path: Path) -> None:
    values = {"neuron-helm-chart": {"devicePlugin": {"nodeSelector": {"team": "red"}}}}
    ran = command("schedule", environment(tmp_path, chart_values=values))
    assert ran.status == 1
    assert "E5040" in ran.err
    assert "!trn1" in ran.out


def test_an_error_of_the_file_leaves_nothing_to_show(command: Command, tmp_path: Path) -> None:
    ran = command("schedule", environment(tmp_path, version="9.9"))
    assert (ran.status, ran.out) == (1, "")
    assert "E2001" in ran.err


@pytest.mark.slow
def test_charts_of_our_own_are_rendered_and_needed_where_the_catalog_says(command: Command, tmp_path: Path) -> None:
    file = environment(tmp_path, addons={"neuron_monitor": True})
    ran = command("schedule", file, "--format", "json")
    assert ran.status == 0
    found = {each["workload"]: each for each in ran.document["workloads"] if each["software"] == "neuron-monitor"}
    (monitor,) = found.values()
    assert [(on["group"], on["fits"], on["required"]) for on in monitor["groups"]] == [
        ("system", False, False), ("trn1", True, True),
    ]  # fmt: skip


def test_an_environment_without_a_cluster_schedules_nothing(command: Command, tmp_path: Path) -> None:
    for workload in ([], ["--workload", written(tmp_path, JOB)]):
        ran = command("schedule", "workstation", *workload)
        assert ran.status == 0
        assert "no Kubernetes cluster" in ran.out


def test_a_closed_standard_input_is_an_error_of_one_line(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    ran = command("schedule", "dev-inf2", "--workload", "-")
    assert ran.status == 1
    assert "it is closed" in ran.err


def test_checkpoints_on_a_volume_of_mountpoint_are_findings(command: Command, tmp_path: Path) -> None:
    """The volume and the Job are in two files of a folder."""
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "saves"},
        "spec": {
            "claimRef": {"namespace": "default", "name": "saves"},
            "mountOptions": ["allow-overwrite"],
            "csi": {"driver": "s3.csi.aws.com", "volumeHandle": "saves"},
        },
    }
    main = {
        **ON_NEURON["containers"][0],
        "args": ["--checkpoint_dir=/saves", "--keep_latest_k=3"],
        "volumeMounts": [{"name": "saves", "mountPath": "/saves"}],
    }
    claim = {"name": "saves", "persistentVolumeClaim": {"claimName": "saves"}}
    pod = {"tolerations": ON_NEURON["tolerations"], "containers": [main], "volumes": [claim]}
    (tmp_path / "mine").mkdir()
    written(tmp_path / "mine", volume, name="volume.yaml")
    written(tmp_path / "mine", {**JOB, "spec": {"template": {"spec": pod}}})
    ran = command("schedule", "train-trn1", "--workload", str(tmp_path / "mine"), "--format", "json")
    found = [each for each in ran.document["findings"] if each["severity"] == "error"]
    assert (ran.status, [each["id"] for each in found]) == (1, ["E4112"])
    assert found[0]["file"].endswith("volume.yaml")
    assert found[0]["path"] == "PersistentVolume/saves spec.mountOptions"


QUEUE = {"kueue.x-k8s.io/queue-name": "training"}


def of_team(folder: Path, *, replicas: int = 1, labels: dict[str, str] | None = None, **limits: int) -> str:
    """A Job of the team ``language`` in research-teams; limits by the last part of their names."""
    container = {"name": "main", "resources": {"limits": {f"aws.amazon.com/{name}": n for name, n in limits.items()}}}
    spec = {"parallelism": replicas, "template": {"spec": {**ON_NEURON, "containers": [container]}}}
    metadata = {"name": "train", "namespace": "language", "labels": labels or {}}
    return written(folder, {**JOB, "metadata": metadata, "spec": spec})


def named(command: Command, job: str, *ids: str) -> list[dict[str, str]]:
    document = command("schedule", "research-teams", "--workload", job, "--format", "json").document
    return [each for each in document["findings"] if each["id"] in ids]


@pytest.mark.hints("E9308")
@pytest.mark.parametrize(("cores", "devices"), [(32, 16), pytest.param(8, 4, marks=pytest.mark.exhaustive), (2, 1)])
def test_a_queue_that_counts_devices_admits_no_cores(
    cores: int, devices: int, command: Command, tmp_path: Path
) -> None:
    (error,) = named(command, of_team(tmp_path, labels=QUEUE, neuroncore=cores), "E9308")
    assert (
        f"requests {cores} aws.amazon.com/neuroncore, and queue training counts aws.amazon.com/neuron"
        in (error["message"])
    )
    assert error["hint"].startswith(f"request {devices} aws.amazon.com/neuron instead")
    assert named(command, of_team(tmp_path, labels=QUEUE, neuron=devices), "E9308", "W9309", "E9310") == []


@pytest.mark.hints("W9309")
def test_devices_of_a_queue_without_its_label_are_a_warning(command: Command, tmp_path: Path) -> None:
    (warning,) = named(command, of_team(tmp_path, neuron=16), "W9309")
    assert "the devices of trn1 are in the quota of training" in warning["message"]
    assert warning["message"].endswith("no member may create it")
    assert warning["hint"] == "add the label kueue.x-k8s.io/queue-name: training"
    (of_cores,) = named(command, of_team(tmp_path, neuroncore=32), "W9309")
    assert of_cores["hint"].startswith("request 16 aws.amazon.com/neuron instead of cores, and add the label")
    assert named(command, of_team(tmp_path, labels=QUEUE, neuron=16), "W9309") == []


def in_team(folder: Path, namespace: str, pod: dict[str, Any], **keys: Any) -> str:
    """A Job of a team, or an object of another kind, with this pod."""
    template = {"spec": {**ON_NEURON, **pod}}
    metadata = {"name": "train", "namespace": namespace}
    return written(folder, {**JOB, "metadata": metadata, "spec": {"template": template}, **keys})


def with_limits(**limits: int) -> list[dict[str, Any]]:
    return [{"name": "main", "resources": {"limits": limits}}]


def test_interfaces_need_the_label_and_no_device_does_not(command: Command, tmp_path: Path) -> None:
    of_efa = in_team(tmp_path, "language", {"containers": with_limits(**{"vpc.amazonaws.com/efa": 1})})
    (warning,) = named(command, of_efa, "W9309")
    assert "the devices of trn1 are in the quota of training" in warning["message"]
    (fits_nowhere,) = named(command, of_team(tmp_path, neuron=17), "W9309")
    assert fits_nowhere["message"].endswith("it selects no node group without a queue: no member may create it")
    assert fits_nowhere["hint"].startswith("add the label kueue.x-k8s.io/queue-name: ")
    assert named(command, of_team(tmp_path, neuron=0), "W9309") == []


def test_the_hint_names_groups_without_a_queue_where_the_team_has_some(command: Command, tmp_path: Path) -> None:
    (of_queue,) = named(command, in_team(tmp_path, "robotics", {}), "W9309")
    assert of_queue["hint"] == (
        "add the label kueue.x-k8s.io/queue-name: training, or select a node group without a queue "
        "(neuron-cluster/node-group: inf2)"
    )
    taint = [{"key": "team", "value": "robotics", "operator": "Equal"}]
    server = {"tolerations": [*ON_NEURON["tolerations"], *taint], "containers": with_limits(cpu=20)}
    server["containers"][0]["resources"]["limits"]["aws.amazon.com/neuroncore"] = 2
    (anywhere,) = named(command, in_team(tmp_path, "robotics", server), "W9309")
    assert "no member may create it" in anywhere["message"]
    selected = {**server, "nodeSelector": {"node.kubernetes.io/instance-type": "inf2.8xlarge"}}
    assert named(command, in_team(tmp_path, "robotics", selected), "W9309") == []


@pytest.mark.parametrize("kind", ["DaemonSet", pytest.param("ReplicationController", marks=pytest.mark.exhaustive)])
def test_of_a_kind_that_kueue_does_not_manage_the_label_of_its_pods_counts(
    kind: str, command: Command, tmp_path: Path
) -> None:
    metadata = {"name": "train", "namespace": "language", "labels": QUEUE}
    keys = {"apiVersion": "apps/v1" if kind == "DaemonSet" else "v1", "kind": kind, "metadata": metadata}
    (warning,) = named(command, in_team(tmp_path, "language", {}, **keys), "W9309")
    assert warning["hint"].endswith("to the template of its pods")
    template = {"metadata": {"labels": QUEUE}, "spec": ON_NEURON}
    assert named(command, in_team(tmp_path, "language", {}, **keys, spec={"template": template}), "W9309") == []


@pytest.mark.hints("E9312")
def test_a_queue_that_the_namespace_does_not_have_is_an_error(command: Command, tmp_path: Path) -> None:
    def found(*objects: dict[str, Any], name: str = "robots", namespace: str = "language") -> list[dict[str, str]]:
        metadata = {"name": "train", "namespace": namespace, "labels": {"kueue.x-k8s.io/queue-name": name}}
        return named(command, written(tmp_path, *objects, {**JOB, "metadata": metadata}), "E9312")

    (error,) = found()
    assert "namespace language has the queues development and training alone: Kueue never admits it" in error["message"]
    assert error["hint"] == "label it kueue.x-k8s.io/queue-name: development or training"
    (elsewhere,) = found(name="training", namespace="other")
    assert "namespace other has no queue" in elsewhere["message"]
    assert "move it to a namespace with queue training: biology" in elsewhere["hint"]
    assert found(name="training") == []
    queue = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue"}
    assert found({**queue, "metadata": {"name": "robots", "namespace": "language"}}) == []


def test_pods_of_a_node_group_without_a_queue_need_no_label(command: Command, tmp_path: Path) -> None:
    pod = {
        **ON_NEURON,
        "nodeSelector": {"neuron-cluster/node-group": "inf2"},
        "tolerations": [{"operator": "Exists"}],
        "containers": [{"name": "main", "resources": {"limits": {"aws.amazon.com/neuroncore": 2}}}],
    }
    metadata = {"name": "train", "namespace": "robotics"}
    job = written(tmp_path, {**JOB, "metadata": metadata, "spec": {"template": {"spec": pod}}})
    assert named(command, job, "E9302", "E9308", "W9309", "E9310") == []


@pytest.mark.hints("E9310")
def test_more_than_the_quota_of_the_namespace_is_an_error(command: Command, tmp_path: Path) -> None:
    (error,) = named(command, of_team(tmp_path, replicas=8, labels=QUEUE, neuron=16), "E9310")
    assert "limits requests.aws.amazon.com/neuron to 116, requested: 128" in error["message"]
    assert error["hint"].startswith("request 116 at most")
    assert named(command, of_team(tmp_path, replicas=7, labels=QUEUE, neuron=16), "E9310") == []
    (of_cores,) = named(command, of_team(tmp_path, neuroncore=2), "E9310")
    assert "request whole devices" in of_cores["hint"]


def test_devices_that_pods_claim_count_in_the_quota_of_the_namespace(command: Command, tmp_path: Path) -> None:
    tree = yaml.safe_load((PROJECT / "environments" / "research-teams.yaml").read_text())
    tree["eks"]["addons"]["neuron_dra_driver"] = True
    file = written(tmp_path, tree, name="edited.yaml")
    requests = [{"name": "all", "exactly": {"deviceClassName": "neuron.aws.com", "count": 16}}]
    template: dict[str, Any] = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate"}
    template["metadata"] = {"name": "t", "namespace": "language"}
    template["spec"] = {"spec": {"devices": {"requests": requests}}}
    claims = [{"name": "all", "resourceClaimTemplateName": "t"}]
    pod = {**ON_NEURON, "containers": [{"name": "main"}], "resourceClaims": claims}
    metadata = {"name": "train", "namespace": "language", "labels": QUEUE}

    def found(parallelism: int) -> list[dict[str, str]]:
        spec = {"parallelism": parallelism, "template": {"spec": pod}}
        job = written(tmp_path, template, {**JOB, "metadata": metadata, "spec": spec})
        document = command("schedule", file, "--workload", job, "--format", "json").document
        return [each for each in document["findings"] if each["id"] == "E9310"]

    (error,) = found(8)
    assert "rejects claims of the pods of Job language/train" in error["message"]
    assert "limits neuron.aws.com.deviceclass.resource.k8s.io/devices to 116, requested: 128" in error["message"]
    assert found(7) == []


@pytest.mark.parametrize("is_ephemeral", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_volumes_that_pods_claim_count_in_the_quota_of_the_namespace(
    is_ephemeral: bool, command: Command, tmp_path: Path
) -> None:
    def found(gib: int) -> list[dict[str, str]]:
        spec = {"storageClassName": "gp2", "resources": {"requests": {"storage": f"{gib}Gi"}}}
        volume = {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": spec}}}
        pod = {"containers": [{"name": "main"}], "volumes": [volume] if is_ephemeral else []}
        keys = {"replicas": 4, "template": {"spec": {**ON_NEURON, **pod}}, "volumeClaimTemplates": [{"spec": spec}]}
        if is_ephemeral:
            del keys["volumeClaimTemplates"]
        job = in_team(tmp_path, "language", pod, apiVersion="apps/v1", kind="StatefulSet", spec=keys)
        return named(command, job, "E9310")

    (error,) = found(1025)
    assert "rejects claims of the pods of StatefulSet language/train" in error["message"]
    assert "to 4096Gi, requested: 4100Gi" in error["message"]
    assert found(1024) == []


def test_a_priority_class_of_the_system_is_to_be_left_out(command: Command, tmp_path: Path) -> None:
    def found(**spec: str) -> list[dict[str, str]]:
        pod = {**ON_NEURON, "containers": [{"name": "main"}], **spec}
        metadata = {"name": "train", "namespace": "language"}
        file = written(tmp_path, {**JOB, "metadata": metadata, "spec": {"template": {"spec": pod}}})
        return named(command, file, "E9310")

    (error,) = found(priorityClassName="system-node-critical")
    assert error["hint"].startswith("leave priorityClassName out")
    assert found() == []


def test_a_name_that_no_plugin_publishes_is_told(command: Command, tmp_path: Path) -> None:
    (error,) = named(command, of_team(tmp_path, neurondevice=16), "E9302")
    assert "no device plugin publishes aws.amazon.com/neurondevice since Neuron SDK 2.20" in error["hint"]
    (error,) = named(command, of_team(tmp_path, neurons=16), "E9302")
    assert "no device plugin publishes aws.amazon.com/neurons: request aws.amazon.com/neuron" in error["hint"]


@pytest.mark.hints("E9311")
def test_a_field_that_the_policy_of_the_team_rejects_is_an_error(command: Command, tmp_path: Path) -> None:
    def found(**spec: object) -> list[dict[str, str]]:
        pod = {**ON_NEURON, "containers": [{"name": "main"}], **spec}
        metadata = {"name": "train", "namespace": "language"}
        job = written(tmp_path, {**JOB, "metadata": metadata, "spec": {"template": {"spec": pod}}})
        return named(command, job, "E9311")

    (error,) = found(tolerations=[{"operator": "Exists"}])
    assert "tolerate team=robotics, the taint of nodes of another team" in error["message"]
    assert error["hint"] == "name key and value of the taints of your own nodes"
    assert found(tolerations=[{"key": "team", "operator": "Equal", "value": "language"}]) == []
    assert [each["hint"] for each in found(nodeName="ip-10-0-0-1")] == ["select nodes by nodeSelector"]
    assert found(nodeSelector={"neuron-cluster/node-group": "trn1"}) == []
    network = found(volumes=[{"name": "homes", "nfs": {"server": "10.0.0.5", "path": "/"}}])
    assert [each["hint"] for each in network] == ["mount a PersistentVolumeClaim"]
    assert found(volumes=[{"name": "homes", "persistentVolumeClaim": {"claimName": "homes"}}]) == []


def test_pods_that_the_pod_security_level_rejects_are_errors(command: Command, tmp_path: Path) -> None:
    """Also where they would fit: the Job would be created, and none of its pods."""
    pod = {**ON_NEURON, "containers": [{**ON_NEURON["containers"][0], "securityContext": {"privileged": True}}]}
    job = written(tmp_path, {**JOB, "spec": {"template": {"spec": pod}}})
    ran = command("schedule", "train-trn1", "--workload", job, "--format", "json")
    errors = {each["id"] for each in ran.document["findings"] if each["severity"] == "error"}
    assert (ran.status, errors) == (1, {"E8861", "E8862"})
    places = [each["path"] for each in ran.document["findings"] if each["id"] == "E8861"]
    assert places == ["Job/train spec.template.spec.containers[0].securityContext.privileged"]


def test_a_namespace_of_the_manifest_decides_by_its_label(command: Command, tmp_path: Path) -> None:
    pod = {**ON_NEURON, "hostNetwork": True}
    job = {**JOB, "metadata": {"name": "train", "namespace": "mine"}, "spec": {"template": {"spec": pod}}}
    found = []
    for level in ("privileged", "baseline"):
        labels = {"pod-security.kubernetes.io/enforce": level}
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "mine", "labels": labels}}
        file = written(tmp_path, namespace, job)
        ran = command("schedule", "train-trn1", "--workload", file, "--format", "json")
        found.append([each["id"] for each in ran.document["findings"] if each["id"].startswith("E886")])
    assert found == [[], ["E8861"]]


@pytest.mark.hints("W9314")
def test_device_files_of_the_node_are_a_warning_in_any_namespace(command: Command, tmp_path: Path) -> None:
    def found(path: str) -> list[dict[str, str]]:
        volumes = [{"name": "files", "hostPath": {"path": path}}]
        metadata = {"name": "train", "namespace": "of-others"}
        pod = {**ON_NEURON, "volumes": volumes}
        return named(
            command, written(tmp_path, {**JOB, "metadata": metadata, "spec": {"template": {"spec": pod}}}), "W9314"
        )

    for path in ("/dev", "/dev/neuron0", "/dev/infiniband/"):
        (warning,) = found(path)
        assert f"the volume is {path} of the node" in warning["message"]
    assert [*found("/dev/shm"), *found("/devices"), *found("/var/dev")] == []  # noqa: S108  a path of a manifest


@pytest.mark.hints("W9315")
@pytest.mark.parametrize(
    ("container", "message"),
    [
        (
            {"env": [{"name": "NEURON_RT_NUM_CORES", "value": "64"}]},
            "NEURON_RT_NUM_CORES is 64, and the container has 32",
        ),
        ({"command": ["vllm", "serve", "m", "--tensor-parallel-size", "64"]}, "--tensor-parallel-size is 64"),
        ({"args": ["--tensor-parallel-size=64"]}, "--tensor-parallel-size is 64"),
        ({"command": ["bash", "-c", "exec vllm serve m -tp 64"]}, "-tp is 64"),
        ({"args": ["--tensor-parallel-size=32"]}, None),
        ({"args": ["--tensor-parallel-size", "$(SIZE)"]}, None),
    ],
)
def test_a_server_with_more_cores_than_it_requests_is_a_warning(
    container: dict[str, Any], message: str | None, command: Command, tmp_path: Path
) -> None:
    body = {**ON_NEURON["containers"][0], **container}
    body["resources"] = {"limits": {"aws.amazon.com/neuron": 16}}
    labels = {"app": "server"}
    template = {"metadata": {"labels": labels}, "spec": {**ON_NEURON, "containers": [body]}}
    server = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "server"},
        "spec": {"selector": {"matchLabels": labels}, "template": template},
    }
    ran = command("schedule", "train-trn1", "--workload", written(tmp_path, server), "--format", "json")
    found = [each for each in ran.document["findings"] if each["id"] == "W9315"]
    assert [message in each["message"] for each in found if message] == ([True] if message else [])
    assert all("set " in each["hint"] for each in found)


def in_two_zones(folder: Path) -> str:
    """train-trn1 with a second node group of 16 nodes in another zone."""
    tree = yaml.safe_load((PROJECT / "environments" / "train-trn1.yaml").read_text())
    (first,) = (group for group in tree["eks"]["node_groups"] if group["name"] == "trn1")
    zones = tree["network"]["availability_zones"]
    groups = [
        {**first, "name": name, "availability_zone": zone, "count": {"min": 0, "desired": 8, "max": 8}}
        for name, zone in zip(("one", "two"), zones[:2], strict=True)
    ]
    for group in groups:
        group.pop("queue", None)
    system = [group for group in tree["eks"]["node_groups"] if group["name"] == "system"]
    return environment(folder, node_groups=[*system, *groups])


def efa_job(pods: int, **spec: object) -> dict[str, object]:
    limits = {"aws.amazon.com/neuron": 16, "vpc.amazonaws.com/efa": 8}
    pod = {**ON_NEURON, "containers": [{"name": "main", "resources": {"limits": limits}}], **spec}
    return {**JOB, "spec": {"completions": pods, "parallelism": pods, "template": {"spec": pod}}}


TOGETHER = {"labelSelector": {"matchLabels": {"app": "a"}}, "topologyKey": "topology.kubernetes.io/zone"}


@pytest.mark.hints("E9316", "W9317")
@pytest.mark.parametrize(
    ("pods", "spec", "found"),
    [
        (12, {}, ["E9316"]),
        (8, {}, ["W9317"]),
        (1, {}, []),
        (8, {"nodeSelector": {"neuron-cluster/node-group": "one"}}, []),
        (8, {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [TOGETHER]}}}, []),
        (
            12,
            {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [TOGETHER]}}},
            ["E9316"],
        ),
    ],
)
def test_a_job_over_efa_is_in_one_availability_zone(
    pods: int, spec: dict[str, object], found: list[str], command: Command, tmp_path: Path
) -> None:
    job = written(tmp_path, efa_job(pods, **spec))
    ran = command("schedule", in_two_zones(tmp_path), "--workload", job, "--format", "json")
    assert [each["id"] for each in ran.document["findings"] if each["id"] in ("E9316", "W9317")] == found
    if found == ["E9316"]:
        (error,) = (each for each in ran.document["findings"] if each["id"] == "E9316")
        assert "8 at most" in error["message"]
        assert error["hint"].startswith("request 8 pods at most")
