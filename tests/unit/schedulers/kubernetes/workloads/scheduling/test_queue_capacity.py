"""A job is compared with what its queue can ever admit, by the arithmetic of the ClusterQueues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from local_kubernetes.model.fields import at, items
from local_kubernetes.model.names import NEURON
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.queue_capacity import (
    jobs_beyond_capacity,
    queue_capacities,
)

QUEUE = "training"


@pytest.fixture(scope="module")
def cluster(plan_of: Callable[..., ClusterPlan]) -> KubernetesPlan:
    found = plan_of("research-teams").kubernetes
    assert found is not None
    return found


def job(pods: int, devices: int = 16, *, namespace: str = "language", queue: str = QUEUE) -> dict[str, Any]:
    container = {"name": "c", "resources": {"limits": {NEURON: str(devices)}}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "job", "namespace": namespace, "labels": {"kueue.x-k8s.io/queue-name": queue}},
        "spec": {
            "parallelism": pods,
            "completions": pods,
            "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
        },
    }


@pytest.mark.hints("E9299", "E9363")
def test_a_job_above_quota_and_borrowing_has_the_three_numbers(cluster: KubernetesPlan) -> None:
    (found,) = jobs_beyond_capacity([job(8)], cluster, load_catalog(), "default")
    assert found.never
    assert "128 aws.amazon.com/neuron requested, 112 at most" in found.text
    assert "the quota is 48, and 64 may be borrowed" in found.text
    assert "request 112 aws.amazon.com/neuron or fewer" in found.hint
    assert list(jobs_beyond_capacity([job(7)], cluster, load_catalog(), "default")) == []


def test_other_namespaces_and_queues_are_not_judged_by_this_team(cluster: KubernetesPlan) -> None:
    unlabelled = job(8)
    del unlabelled["metadata"]["labels"]
    assert list(jobs_beyond_capacity([unlabelled, job(8, queue="other")], cluster, load_catalog(), "default")) == []


@pytest.mark.hints("W9296", "W9364")
def test_a_quota_at_fewer_nodes_is_a_part_of_what_runs(plan_of: Callable[..., ClusterPlan]) -> None:
    shipped = plan_of("research-teams").kubernetes
    assert shipped is not None
    position = next(at for at, group in enumerate(shipped.node_groups) if group.queue == QUEUE)
    group = shipped.node_groups[position]
    edits = {f"eks.node_groups.{position}.count.desired": group.known_maximum // 2}
    fewer = plan_of("research-teams", edits).kubernetes
    assert fewer is not None
    (found,) = jobs_beyond_capacity([job(4, 15)], fewer, load_catalog(), "default")
    assert not found.never
    assert "after count.desired is raised" in found.text
    assert "raise count.desired" in found.hint
    assert list(jobs_beyond_capacity([job(4, 15)], shipped, load_catalog(), "default")) == []


def test_the_capacity_is_that_of_the_cluster_queues(cluster: KubernetesPlan) -> None:
    """As Kueue computes it: pkg/cache/scheduler/resource_node.go (potentialAvailable), with one cohort."""
    objects = [each for manifest in cluster.manifests for each in manifest.objects if each["kind"] == "ClusterQueue"]
    resources = {
        at(each, "metadata", "name"): [
            amount
            for group in items(at(each, "spec", "resourceGroups"))
            for flavor in items(at(group, "flavors"))
            for amount in items(at(flavor, "resources"))
            if amount["name"] == NEURON
        ]
        for each in objects
        if at(each, "spec", "cohortName") == QUEUE
    }
    for team in cluster.teams:
        (own,) = resources[team.cluster_queue(QUEUE)]
        lent = [
            min(each["nominalQuota"], each.get("lendingLimit", each["nominalQuota"]))
            for name, (each,) in resources.items()
            if name != team.cluster_queue(QUEUE)
        ]
        limit = own.get("borrowingLimit", sum(lent))
        _, running = queue_capacities(cluster, load_catalog(), team.namespaces[0], QUEUE, NEURON)
        assert running.share.most == own["nominalQuota"] + min(limit, sum(lent)), team.name
