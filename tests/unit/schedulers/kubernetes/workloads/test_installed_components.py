"""Which software an environment has, and which switch brings what serves a kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.eks.config.addons import Addons, InstalledOtherwise
from neuron_cluster.schedulers.kubernetes.workloads.installed_components import is_installed, missing_component

PlanOf = Callable[..., ClusterPlan]


ON = {
    "train-trn1": {
        "neuron_device_plugin", "neuron_node_problem_detector", "efa_device_plugin", "node_monitoring_agent",
        "fsx_csi_driver", "cloudwatch_observability", "jobset",
    },
    "train-trn2u": {
        "neuron_dra_driver", "neuron_node_problem_detector", "efa_device_plugin", "node_monitoring_agent",
        "fsx_csi_driver", "jobset",
    },
}  # fmt: skip


@pytest.mark.parametrize("environment", ON)
def test_every_switch_can_be_asked_about_and_those_of_one_chart_are_told_apart(
    environment: str, cached_plan: PlanOf
) -> None:
    eks = cached_plan(environment).kubernetes
    assert eks is not None
    assert {switch for switch in Addons.model_fields if is_installed(eks, switch)} == ON[environment]


def test_the_hint_names_the_switch_of_the_kind_and_not_another_one_of_its_chart(
    cached_plan: PlanOf, catalog: Catalog
) -> None:
    eks = cached_plan("train-trn1").kubernetes
    assert eks is not None
    row = catalog.charts.get("neuron-helm-chart")
    assert row is not None
    kind = next(made for made in row.provides if made.kind == "NeuronUltraServer")
    missing = missing_component(eks, kind.api_version, kind.kind, catalog)
    assert missing is not None
    assert missing.hint == "set eks.addons.neuron_ultraserver_operator: true and deploy"


def test_what_has_no_flag_is_named_among_what_its_user_installs(cached_plan: PlanOf, catalog: Catalog) -> None:
    eks = cached_plan("train-trn1").kubernetes
    assert eks is not None
    kinds = [(row, made) for row in catalog.manifests for made in row.provides]
    assert kinds
    for row, made in kinds:
        missing = missing_component(eks, made.api_version, made.kind, catalog)
        assert missing is not None
        assert missing.has_flag
        assert row.address in missing.hint
        flag = InstalledOtherwise(row.name.replace("-", "_"))
        there = cached_plan("train-trn1", {"eks.installed_otherwise": [flag.value]}).kubernetes
        assert there is not None
        assert missing_component(there, made.api_version, made.kind, catalog) is None
