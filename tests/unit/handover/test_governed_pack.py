"""The pack of a team whose quota is a compute quota of HyperPod."""

from __future__ import annotations

import pytest

from local_kubernetes.model.names import QUEUE_NAME_LABEL
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.handover.named_team import named_team
from neuron_cluster.opened_environment import opened_environment
from neuron_cluster.schedulers.kubernetes.team_pages.departure import kubernetes_departure
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from tests.conftest import CATALOG
from tests.five_teams import ROOT
from tests.unit.handover.conftest import Kept
from tests.unit.handover.packs import objects_in, pack_of

NAME = "hyperpod-teams"
HOME = "hyperpod-ns-research"
QUEUE = f"{HOME}-localqueue"


@pytest.fixture(scope="module")
def governed(keeping_helm: Kept) -> KubernetesPack:
    with keeping_helm():
        return pack_of(opened_environment(NAME, str(ROOT), is_local=False), "research")


def test_every_pod_template_of_the_pack_has_the_label_of_the_queue(governed: KubernetesPack) -> None:
    """The admission policy of task governance rejects pods without it, also those of a Job that has it. The webhooks of
    Kueue give it to pods of Deployments and LeaderWorkerSets."""
    seen = set()
    for name, body in objects_in(governed):
        owner = KubernetesObject(body, HOME)
        templates = list(pod_templates(owner))
        if not templates:
            continue
        assert body["metadata"]["namespace"] == HOME, name
        assert labels_of(body)[QUEUE_NAME_LABEL] == QUEUE, name
        if owner.kind not in ("Deployment", "LeaderWorkerSet"):
            assert {labels_of(each.body).get(QUEUE_NAME_LABEL) for each in templates} == {QUEUE}, name
        seen.add(owner.kind)
    assert {"Job", "JobSet"} <= seen


def test_the_page_has_the_share_and_the_priority_classes_of_hyperpod(governed: KubernetesPack) -> None:
    page = governed.files["README.md"]
    assert f"| `{QUEUE}` | `{HOME}-clusterqueue` | trn1 (ml.trn1.32xlarge) | 32 | 64 | 32 | 16 | all |" in page
    assert "| `inference-priority` | 100 |" in page
    assert "| `training-priority` | 75 |" in page
    assert "each pod has the label too" in page


def test_the_runbook_names_the_admission_policy(governed: KubernetesPack) -> None:
    runbook = governed.files["runbook.md"]
    assert "hyperpod-task-governance-admission-policy" in runbook
    assert f"add the label to the job and to the template of its pods: `{QUEUE}`" in runbook


def test_a_team_that_leaves_loses_the_objects_of_its_namespace() -> None:
    opened = opened_environment(NAME, str(ROOT), is_local=False)
    cluster = opened.plan.kubernetes
    assert cluster is not None
    team = named_team(opened.plan, "research")
    departure = kubernetes_departure(opened.plan, cluster, team, CATALOG, NAME)
    kinds = {part.kind for part in departure.removed}
    assert {"RoleBinding", "ResourceQuota", "NetworkPolicy", "compute quota"} <= kinds
    assert HOME in {part.name for part in departure.objects}
