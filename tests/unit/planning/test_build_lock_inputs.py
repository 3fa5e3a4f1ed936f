"""What a lock must tell about the shipped environments."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.lock.inputs import LockInputs
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.planning.build_lock_inputs import build_lock_inputs

ENVIRONMENTS = Path(__file__).parents[3] / "environments"


def plan_of(name: str) -> ClusterPlan:
    return check_environment(ENVIRONMENTS / f"{name}.yaml", with_lock=False).require_plan()


def questions(name: str) -> LockInputs:
    return build_lock_inputs(plan_of(name), load_catalog())


def test_a_cluster_asks_for_each_ami_type_addon_chart_and_image_it_has() -> None:
    asked, eks = questions("train-trn1"), plan_of("train-trn1").kubernetes
    assert eks is not None
    assert set(asked.ami_releases) == {group.image.family for group in eks.node_groups}
    assert asked.addons == tuple(sorted(addon.name for addon in eks.addons))
    assert [chart.name for chart in asked.charts] == [chart.chart for chart in eks.charts]
    assert asked.kubernetes_version == eks.version
    for parameters in asked.ami_releases.values():
        assert f"/{eks.version}/" in parameters.release_version
        assert parameters.image_id.rpartition("/")[0] == parameters.release_version.rpartition("/")[0]
    assert any(image.startswith("602401143452.dkr.ecr.us-west-2.") for image in asked.images)


def test_workstations_ask_for_their_kinds_of_image_and_for_no_cluster() -> None:
    asked = questions("workstation")
    assert set(asked.dlamis) == {workstation.dlami for workstation in plan_of("workstation").workstations}
    assert (asked.kubernetes_version, asked.ami_releases, asked.addons, asked.images) == (None, {}, (), ())
