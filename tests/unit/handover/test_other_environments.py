"""Packs of teams on Inferentia and with the DRA driver: a member reads there what the pack and the nodes have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from local_kubernetes.model.names import EFA, NEURON
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.handover.pack_page import pack_as_data
from neuron_cluster.opened_environment import opened_environment
from neuron_cluster.schedulers.kubernetes.team_pages.guide import INTERACTIVE, SERVING
from neuron_cluster.schedulers.kubernetes.team_pages.own_jobs import CLAIM_KIND
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from tests.five_teams import ROOT
from tests.unit.handover.packs import environment, environment_of, objects_in, pack_of, red

FINDING_ID = re.compile(r"\b[EW]\d{4}\b")
INFERENTIA = {"dev-inf2": ("inf2", 1), "serve-inf1": ("inf1", 3)}


@pytest.fixture(scope="module", params=INFERENTIA)
def inferentia(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> KubernetesPack:
    group, devices = INFERENTIA[request.param]
    opened = environment_of(tmp_path_factory.mktemp("inferentia"), request.param, group, [red(group, devices)])
    return pack_of(opened, "red")


def test_a_team_without_training_and_serving_has_a_shell_and_a_smoke_test(inferentia: KubernetesPack) -> None:
    jobs = {name for name in inferentia.files if name.endswith(".yaml")}
    assert jobs == {"jobs/interactive.yaml", "smoke-test.yaml"}
    for _, body in objects_in(inferentia):
        (container,) = body["spec"]["template"]["spec"]["containers"]
        assert container["resources"]["limits"][NEURON] == "1"
        assert f"| `{container['image']}` | shell and smoke test |" in inferentia.files["README.md"]
    assert "and writes to each claim" not in inferentia.files["README.md"]


def test_members_read_the_cause_and_administrators_what_to_set(inferentia: KubernetesPack) -> None:
    for page in ("README.md", "runbook.md", "index.html"):
        assert FINDING_ID.findall(inferentia.files[page]) == []
    assert "There is no jobs/serving.yaml: no storage for the model's weights" in inferentia.files["README.md"]
    reasons = pack_as_data(inferentia, Path("pack"), ())["jobs"]["jobs/serving.yaml"]["reasons"]
    assert len(reasons) == 1
    assert reasons[0].startswith("E9212")
    assert "`claims` of the namespace" in reasons[0]
    assert "--" not in reasons[0]  # an option of another command


def test_one_device_is_written_in_the_singular(inferentia: KubernetesPack) -> None:
    page = inferentia.files["README.md"]
    assert "has 1 Neuron device with " in page
    assert "1 Neuron devices" not in page


def test_the_runbook_names_only_jobs_of_the_pack(inferentia: KubernetesPack) -> None:
    page = inferentia.files["runbook.md"]
    named = set(re.findall(r"[a-z/-]+\.yaml", page))
    assert named == {"jobs/interactive.yaml"}
    assert "starter job" not in page


def test_without_a_group_for_its_jobs_the_pages_name_no_job_and_no_image(tmp_path: Path) -> None:
    team = {"name": "red", "members": [], "namespaces": [{"name": "red", "queue": "cpu"}]}
    groups = [
        {"name": "system", "instance_type": "m7i.large", "queue": "cpu", "count": {"min": 2, "desired": 2, "max": 3}},
        {"name": "inf2", "instance_type": "inf2.xlarge", "count": {"min": 0, "desired": 0, "max": 2}},
    ]
    for each in groups:
        each["root_volume"] = {"size_gib": 200}
    pack = pack_of(environment_of(tmp_path, "dev-inf2", "inf2", [team], node_groups=groups), "red")
    assert not [name for name in pack.files if name.endswith(".yaml")]
    assert "**Images**" not in pack.files["README.md"]
    assert "starter job" not in pack.files["runbook.md"]
    assert "table Images" not in pack.files["runbook.md"]


def test_the_runbook_with_the_dra_driver_has_the_messages_of_claims(tmp_path: Path) -> None:
    pack = pack_of(environment_of(tmp_path, "train-trn2u", "trn2u", [red("trn2u", 32)]), "red")
    page = pack.files["runbook.md"]
    assert "| `cannot allocate all claims` |" in page
    assert "kubectl describe resourceclaims.resource.k8s.io --namespace red" in page
    assert f"| `Insufficient {NEURON}` | nodes have no such resource" in page
    (template,) = [body for file, body in objects_in(pack) if (file, body["kind"]) == (INTERACTIVE, CLAIM_KIND)]
    assert template["metadata"]["name"] == "interactive"


def test_the_runbook_with_the_device_plugin_has_none_of_claims(inferentia: KubernetesPack) -> None:
    page = inferentia.files["runbook.md"]
    assert "claims`" not in page.partition("## 2.")[0]
    assert f"| `Insufficient {NEURON}`, `Insufficient {EFA}` |" in page


def test_without_internet_the_page_names_images_of_the_cache_and_their_copies(tmp_path: Path) -> None:
    edits = {"network.nat": "none", "eks.image_cache": True}
    pack = pack_of(environment(tmp_path, **edits), "guests")
    page = pack.files["README.md"].partition("## Images")[2].partition("## First job")[0]
    images = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    assert len(images) == 2
    assert all(
        image.startswith("111122223333.dkr.ecr.us-west-2.amazonaws.com/train-trn1/ecr-public/") for image in images
    )
    assert "Nodes have no route to the internet" in page
    used = {
        container["image"]
        for _, body in objects_in(pack)
        for template in pod_templates(KubernetesObject(body, ""))
        for container in template.spec["containers"]
    }
    assert used == set(images)
    assert "route to the internet" not in pack_of(environment(tmp_path), "guests").files["README.md"]


@pytest.fixture(scope="module")
def robotics() -> KubernetesPack:
    """A team that borrows, and has a node group without a queue for itself."""
    return pack_of(opened_environment("research-teams", str(ROOT), is_local=False), "robotics")


def test_the_server_of_a_team_runs_on_its_own_node_group(robotics: KubernetesPack) -> None:
    jobs = pack_as_data(robotics, Path(), ())["jobs"]
    assert {name: (job["node_group"], job["queue"]) for name, job in jobs.items()} == {
        "jobs/training.yaml": ("trn1", "training"),
        "jobs/serving.yaml": ("inf2", None),
        "jobs/interactive.yaml": ("trn1", "training"),
        "smoke-test.yaml": ("trn1", "training"),
    }
    (server,) = [body for name, body in objects_in(robotics) if name == SERVING and body["kind"] == "Deployment"]
    pod = server["spec"]["template"]["spec"]
    assert pod["nodeSelector"]["neuron-cluster/node-group"] == "inf2"
    assert {each["key"]: each.get("value") for each in pod["tolerations"]}["team"] == "robotics"
    assert "kueue.x-k8s.io/queue-name" not in server["metadata"]["labels"]


def test_the_page_lists_node_groups_of_the_team_alone(robotics: KubernetesPack) -> None:
    page = robotics.files["README.md"]
    assert "| inf2 (inf2.8xlarge) | 1 | 2 | 1 | `aws.amazon.com/neuron=true`, `team=robotics` |" in page
    assert "| [jobs/serving.yaml](jobs/serving.yaml) | none | inf2 | 1 | 1 | one replica |" in page
