"""Lock inputs of the shipped environments."""

from __future__ import annotations

from pathlib import Path

from rule_fixture import Case

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


def test_lock_inputs_have_amis_of_the_file_and_the_built_one_but_not_of_a_parameter(tmp_path: Path) -> None:
    assert questions("slurm-trn1").amis == ("ami-0123456789abcdef0",)
    assert questions("workstation").amis == ()
    station = Case("workstation", {}, lock={"dlamis": {"multi_framework_ubuntu_24_04": "ami-0123456789abcdef2"}})
    built = "ami-0123456789abcdef3 ami-0123456789abcdef2 base_ubuntu_24_04 25.11 1.5.1-1 1.0.7"
    nodes = Case("slurm-trn1", {"slurm.ami_id": "~delete~"}, lock={"slurm_image": built})
    for case, expected in ((station, ()), (nodes, ("ami-0123456789abcdef3",))):
        folder = tmp_path / case.base
        folder.mkdir()
        checked = check_environment(case.write(folder))
        assert build_lock_inputs(checked.require_plan(), load_catalog(), checked.lock).amis == expected
