"""Everything that the pack of a team names is made by the deploy, and may be used by the members."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from local_kubernetes.model.names import EFA, NEURON, QUEUE_NAME_LABEL
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.opened_environment import OpenedEnvironment, opened_environment
from neuron_cluster.schedulers.kubernetes.software.team_roles import WRITTEN
from neuron_cluster.schedulers.kubernetes.team_pages.own_jobs import SHELL_HOURS
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import NoJob
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import schedule_of
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.user_pods import user_pods
from tests.five_teams import GROUP, team
from tests.unit.handover.packs import IMAGES, RESEARCH, ROOT, SMALL, environment, objects_in, opened_with, pack_of

NAMES = ("research", "small", "guests")


def _made(opened: OpenedEnvironment) -> Iterator[Mapping[str, Any]]:
    cluster = opened.plan.kubernetes
    assert cluster is not None
    for manifest in (*cluster.manifests, *cluster.team_manifests):
        yield from manifest.objects


def _names(opened: OpenedEnvironment, kind: str) -> set[tuple[str, str]]:
    metadata = [body["metadata"] for body in _made(opened) if body["kind"] == kind]
    return {(each.get("namespace", ""), each["name"]) for each in metadata}


def _pods(pack: KubernetesPack) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """File, namespace and spec of each pod template."""
    for file, body in objects_in(pack):
        for template in pod_templates(KubernetesObject(body, "")):
            yield file, body["metadata"]["namespace"], template.spec


@pytest.mark.parametrize("name", NAMES)
def test_members_may_create_every_object_in_their_own_namespaces(
    packs: Mapping[str, KubernetesPack], name: str
) -> None:
    pack = packs[name]
    for file, body in objects_in(pack):
        group = str(body["apiVersion"]).rpartition("/")[0]
        plural = {"PodDisruptionBudget": "poddisruptionbudgets"}.get(body["kind"], f"{body['kind'].lower()}s")
        assert plural in WRITTEN.get(group, ()), (file, body["kind"])
        assert body["metadata"]["namespace"] in pack.hand_over.team.namespaces, file


@pytest.mark.parametrize("name", NAMES)
def test_queues_claims_and_service_accounts_are_those_of_the_deploy(
    packs: Mapping[str, KubernetesPack], opened: OpenedEnvironment, name: str
) -> None:
    queued = {
        file: (body["metadata"]["namespace"], queue)
        for file, body in objects_in(packs[name])
        if (queue := body["metadata"].get("labels", {}).get(QUEUE_NAME_LABEL))
    }
    assert set(queued) == {"jobs/training.yaml", "jobs/serving.yaml", "jobs/interactive.yaml", "smoke-test.yaml"}
    assert set(queued.values()) <= _names(opened, "LocalQueue")
    claims = {
        (home, volume["persistentVolumeClaim"]["claimName"])
        for _, home, spec in _pods(packs[name])
        for volume in spec["volumes"]
        if "persistentVolumeClaim" in volume
    }
    assert claims
    assert claims <= _names(opened, "PersistentVolumeClaim")
    accounts = {(home, spec.get("serviceAccountName", "default")) for _, home, spec in _pods(packs[name])}
    assert {each for each in accounts if each[1] != "default"} <= _names(opened, "ServiceAccount")


@pytest.mark.parametrize(
    ("name", "file", "pods", "devices", "interfaces"),
    [
        ("research", "jobs/training.yaml", 8, 16, 8),
        ("research", "jobs/serving.yaml", 1, 16, 0),
        ("research", "jobs/interactive.yaml", 1, 1, 0),
        ("research", "smoke-test.yaml", 1, 1, 0),
        ("small", "jobs/training.yaml", 1, 1, 0),
        ("guests", "jobs/training.yaml", 1, 16, 0),
    ],
)
def test_jobs_are_as_large_as_the_quota(
    packs: Mapping[str, KubernetesPack], name: str, file: str, pods: int, devices: int, interfaces: int
) -> None:
    bodies = [body for each, body in objects_in(packs[name]) if each == file]
    found = [template for body in bodies for template in pod_templates(KubernetesObject(body, ""))]
    (template,) = found
    requests = template.spec["containers"][0]["resources"]["requests"]
    assert int(requests[NEURON]) == devices
    assert int(requests.get(EFA, 0)) == interfaces
    job_set = next((body for body in bodies if body["kind"] == "JobSet"), None)
    if job_set is not None:
        (job,) = job_set["spec"]["replicatedJobs"]
        assert job["replicas"] * job["template"]["spec"]["completions"] == pods


def test_a_quota_without_running_nodes_is_the_size_and_the_page_gives_the_reason(tmp_path: Path) -> None:
    edits = {"eks.node_groups.1.count": {"min": 0, "desired": 0, "max": 16}}
    pack = pack_of(environment(tmp_path, **edits), "research")
    size = pack.hand_over.training.size  # type: ignore[union-attr]  # it is rendered
    assert (size.nodes, size.devices) == (8, 16)
    assert "count.desired of trn1 gives the team no device now" in pack.files["README.md"]


def test_a_team_without_a_quota_reads_that_its_jobs_borrow(packs: Mapping[str, KubernetesPack]) -> None:
    page = packs["guests"].files["README.md"]
    assert "The team has no quota" in page
    assert "is stopped when another team needs them" in page
    assert "The team has no members yet" in page


def test_a_team_that_can_never_run_a_job_reads_that_and_not_that_it_borrows(tmp_path: Path) -> None:
    nothing = {**SMALL, "quota": [{"node_group": "trn1", "devices": 0, "borrow": 0}]}
    pack = pack_of(environment(tmp_path, [RESEARCH, nothing]), "small")
    page = pack.files["README.md"]
    assert "The team has no devices and can borrow none" in page
    assert "its jobs run on devices that other teams leave idle" not in page
    assert "the job borrows idle devices" not in page
    assert pack.hand_over.one_device.size.note.endswith("the job never starts")  # type: ignore[union-attr]  # rendered


def test_the_pages_name_queues_quota_paths_and_prefixes_of_the_plan(
    research: KubernetesPack, opened: OpenedEnvironment
) -> None:
    page = research.files["README.md"]
    row = "| `training` | `research-training` | trn1 (trn1.32xlarge) | 128 | 256 | 128 | 64 | all |"
    assert row in page
    (queue,) = [
        each
        for each in _made(opened)
        if (each["kind"], each["metadata"]["name"]) == ("ClusterQueue", "research-training")
    ]
    resources = queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"]
    (neuron,) = [each for each in resources if each["name"] == NEURON]
    assert (neuron["nominalQuota"], neuron["borrowingLimit"]) == (128, 64)
    assert "| `lustre` | `research` | `/checkpoints` | `/checkpoints/checkpoints/research` |" in page
    assert "| `trainer` | `research` | `teams/research/` | read, write, delete; not versions |" in page
    classes = {name for _, name in _names(opened, "WorkloadPriorityClass")}
    section = page.partition("**Priority classes**")[2].partition("\n\nA job has")[0]
    assert set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) == classes


def test_the_training_job_writes_to_the_folder_that_the_page_names(research: KubernetesPack) -> None:
    (spec,) = [spec for file, _, spec in _pods(research) if file == "jobs/training.yaml"]
    variables = {each["name"]: each.get("value") for each in spec["containers"][0]["env"]}
    assert variables["CHECKPOINT_DIRECTORY"] == "/checkpoints/checkpoints/research/training"


def test_a_forgotten_shell_gives_its_device_back(research: KubernetesPack) -> None:
    (job,) = [body for file, body in objects_in(research) if file == "jobs/interactive.yaml"]
    assert job["spec"]["activeDeadlineSeconds"] == SHELL_HOURS * 3600
    assert job["spec"]["ttlSecondsAfterFinished"] > 0


def test_the_model_of_a_server_with_one_device_is_one_that_fits(packs: Mapping[str, KubernetesPack]) -> None:
    assert not {"E9261", "E9262", "W9263"} & {finding.id for finding in packs["small"].findings}
    assert "8b" in packs["small"].files["README.md"].partition("reads its model from")[2].partition("(claim")[0]


def test_a_chart_that_the_environment_cannot_run_is_left_out_with_the_reason(tmp_path: Path) -> None:
    pack = pack_of(environment(tmp_path, **{"eks.addons.jobset": False}), "research")
    assert "jobs/training.yaml" not in pack.files
    assert "jobs/serving.yaml" in pack.files
    assert "There is no jobs/training.yaml: it creates a JobSet" in pack.files["README.md"]
    assert "smoke-test.yaml" in pack.files


def test_the_page_names_the_images_that_pods_may_run(packs: Mapping[str, KubernetesPack]) -> None:
    page = packs["small"].files["README.md"]
    section = page.partition("**Allowed images**")[2].partition("\n\nPods in")[0]
    assert re.findall(r"^\| `([^`]+)`", section, re.MULTILINE) == IMAGES
    assert "**Allowed images**" not in packs["guests"].files["README.md"]


@pytest.mark.hints("E9272")
def test_a_job_whose_image_the_list_lacks_is_left_out_until_its_repository_is_added(tmp_path: Path) -> None:
    repository = "public.ecr.aws/neuron/jax-training-neuronx"
    serving = "public.ecr.aws/neuron/pytorch-inference-vllm-neuronx"

    def pack(*images: str) -> KubernetesPack:
        listed = team("research", quota=[{"node_group": GROUP, "devices": 16}], images=list(images))
        return pack_of(opened_with(tmp_path, [listed]), "research")

    without = pack(serving)
    assert "jobs/training.yaml" not in without.files
    assert {"jobs/serving.yaml", "jobs/interactive.yaml"} <= set(without.files)
    cause = without.files["README.md"].partition("There is no jobs/training.yaml: ")[2].partition("\n")[0]
    assert cause.startswith("the API server rejects its pods: ")
    assert isinstance(without.hand_over.training, NoJob)
    (reason,) = without.hand_over.training.reasons
    assert f"add {repository} to images of team research in teams and deploy" in reason
    assert "jobs/training.yaml" in pack(serving, repository).files


@pytest.mark.hints("E9272")
def test_user_manifests_are_compared_with_the_images_of_the_team_of_the_namespace(tmp_path: Path) -> None:
    def found(*images: str, namespace: str = "research") -> list[tuple[str, str]]:
        opened = opened_with(tmp_path, [team("research", images=list(images)), team("product")])
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": namespace}}
        spec = {"containers": [{"name": "a", "image": "example.com/mine/a:v1"}]}
        user = user_pods("mine", [("mine.yaml", [{**pod, "spec": spec}])])
        findings = schedule_of(opened.plan, load_catalog(), (), user).findings
        return [(each.location.path, each.hint) for each in findings if each.id == "E9272"]

    ((path, hint),) = found("example.com/yours/")
    assert path == "Pod a"
    assert "add example.com/mine/a to images of team research" in hint
    assert found("example.com/yours/", "example.com/mine/a") == []
    assert found("example.com/yours/", namespace="product") == []


def test_shell_and_smoke_test_use_the_group_with_the_smallest_node_of_the_quota() -> None:
    """A shell of 8 hours on a node of 16 devices keeps jobs of whole nodes out of it."""
    opened = opened_environment("research-teams", str(ROOT), is_local=False)
    files = pack_of(opened, "language").files
    for name in ("jobs/interactive.yaml", "smoke-test.yaml"):
        assert "trn1.32xlarge" not in files[name], name
        assert "queue-name: training" not in files[name], name
    assert "queue-name: training" in files["jobs/training.yaml"]
