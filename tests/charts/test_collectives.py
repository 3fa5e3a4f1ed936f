"""collectives-check on UltraServers: what its pods are told, and where they would like to be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import CHARTS, BundledChart
from renders import Renders, newest_helm

from local_kubernetes.model.chart_values import merged, value_at
from neuron_cluster.kube.helm import HelmError

pytestmark = pytest.mark.slow
CHECK = BundledChart(CHARTS / "collectives-check")
LABEL = "neuron.amazonaws.com/ultraserver-server-id-4"


def rendered(renders: Renders, **given: Any) -> tuple[Mapping[str, Any], ...]:
    return renders.of_values(CHECK, merged(CHECK.values("trn2u-ultraserver"), given), newest_helm())


def job_and_plan(objects: tuple[Mapping[str, Any], ...]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    (job,) = [body for body in objects if body["kind"] == "Job"]
    (plan,) = [body["data"]["plan.json"] for body in objects if "plan.json" in body.get("data", {})]
    return job, json.loads(plan)


def test_nodes_of_an_ultraserver_are_preferred_and_their_places_are_asked_for(renders: Renders) -> None:
    """Preferred alone: no document says that the DRA driver sets the label, and the pods look themselves."""
    job, plan = job_and_plan(rendered(renders))
    affinity = value_at(job, "spec.template.spec.affinity.podAffinity")
    (preferred,) = affinity.pop("preferredDuringSchedulingIgnoredDuringExecution")
    assert preferred["podAffinityTerm"]["topologyKey"] == LABEL
    selected = preferred["podAffinityTerm"]["labelSelector"]["matchLabels"]
    assert selected == {"batch.kubernetes.io/job-name": job["metadata"]["name"]}
    assert affinity == {}
    assert (plan["ultraserver_size"], plan["job"]) == (4, job["metadata"]["name"])


def test_over_efa_alone_no_node_is_preferred(renders: Renders) -> None:
    job, plan = job_and_plan(rendered(renders, ultraServer={"size": 0}, machine={"ultraServerMode": 1}))
    assert value_at(job, "spec.template.spec.affinity.podAffinity") is None
    assert plan["ultraserver_size"] == 0


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"nodes": 6}, "nodes 6 is not a multiple of ultraServer.size 4"),
        ({"machine": {"ultraServerMode": 1}}, "ultraServerMode is 1 and ultraServer.size is 4"),
        ({"ultraServer": {"size": 0}}, "ultraServerMode is 4 and ultraServer.size is 0"),
    ],
)
def test_nodes_claim_and_size_agree(given: Mapping[str, Any], text: str, renders: Renders) -> None:
    with pytest.raises(HelmError, match=text):
        rendered(renders, **given)


def test_a_check_that_could_not_run_is_repeated_and_a_result_is_not(renders: Renders) -> None:
    """11 comes of a node that is lost or late, too; 10 of a bandwidth below its minimum."""
    job, _ = job_and_plan(rendered(renders))
    assert (job["spec"]["backoffLimitPerIndex"], job["spec"]["maxFailedIndexes"]) == (3, 0)
    ignore, fail = job["spec"]["podFailurePolicy"]["rules"]
    assert (ignore["action"], fail["action"]) == ("Ignore", "FailJob")
    assert fail["onExitCodes"] == {"containerName": "check", "operator": "In", "values": [10]}
