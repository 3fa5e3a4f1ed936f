"""HyperPod groups bring the chart of their dependencies, and plugins that run on their nodes; other groups do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from local_kubernetes.model.hyperpod import HEALTH_TAINT
from local_kubernetes.model.placement import Taint, Toleration
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan, TaintPlan
from neuron_cluster.schedulers.kubernetes.software.chart_set import software_set
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import (
    EFA_CHART,
    HYPERPOD_CHART,
    NEURON_CHART,
    TRAINING_OPERATOR_CHART,
)
from tests.hyperpod_plan import DEVICE_PLUGINS, of_hyperpod, with_hyperpod

CATALOG = load_catalog()
ON = {"health-monitoring-agent", "deep-health-check", "job-auto-restart", "hyperpod-patching"}
Groups = tuple[NodeGroupPlan, ...]


@pytest.fixture
def groups(plan_of: Callable[..., ClusterPlan]) -> Groups:
    return plan_of("train-trn1").node_groups


def charts(groups: Groups, *on: str, **fields: Any) -> dict[str, ChartPlan]:
    known: dict[str, Any] = {
        "region": "us-west-2",
        "account": "111122223333",
        "kubernetes_version": "1.35",
        "chart_values": {},
        "neuron_sdk": "2.32.0",
    }
    context = ComponentContext(
        addons_path=("eks", "addons"),
        cluster="train",
        node_groups=groups,
        enabled=on or DEVICE_PLUGINS,
        catalog=CATALOG,
        **{**known, **fields},
    )
    return {chart.chart: chart for chart in software_set(context).charts}


def switches(values: Mapping[str, Any]) -> dict[str, bool]:
    return {key: each.get("devicePlugin", each)["enabled"] for key, each in values.items()}


def tolerates(chart: ChartPlan, *path: str) -> bool:
    values: Any = chart.values
    for key in path:
        values = values[key]
    return any(Toleration(**each).tolerates(HEALTH_TAINT) for each in values)


def test_only_hyperpod_groups_bring_the_chart(groups: Groups) -> None:
    assert HYPERPOD_CHART not in charts(groups)
    other = tuple(replace(each, image=replace(each.image, family="AL2023_x86_64_NEURON")) for each in groups)
    assert HYPERPOD_CHART not in charts(other)
    assert HYPERPOD_CHART in charts(tuple(map(of_hyperpod, groups)))


def test_the_release_is_the_one_that_sagemaker_looks_for(groups: Groups) -> None:
    chart = charts(tuple(map(of_hyperpod, groups)))[HYPERPOD_CHART]
    assert (chart.release, chart.namespace, chart.namespaces) == ("hyperpod-dependencies", "kube-system", ())
    assert (chart.component, chart.needs, chart.waits) == ("hyperpod_dependencies", (), False)


def test_helm_takes_the_commit_of_the_catalog_from_the_ecr_of_the_account_and_region(groups: Groups) -> None:
    row = CATALOG.charts["hyperpod-helm-chart"]
    assert row.git is not None
    chart = charts(tuple(map(of_hyperpod, groups)), region="eu-central-1")[HYPERPOD_CHART]
    assert chart.repository == "oci://111122223333.dkr.ecr.eu-central-1.amazonaws.com/hyperpod-helm-chart"
    assert chart.version == f"0.1.0+{row.git.commit[:12]}"


def test_of_its_parts_only_those_run_that_hyperpod_alone_has(groups: Groups) -> None:
    """Plugins and operators of the chart would fight those of the toolkit; each part is named, on or off."""
    values = charts(tuple(map(of_hyperpod, groups)))[HYPERPOD_CHART].values
    found = switches(values)
    assert {key for key, is_on in found.items() if is_on} == ON
    paths = {
        path.removesuffix(".enabled").removesuffix(".devicePlugin") for path in CATALOG.charts[HYPERPOD_CHART].values
    }
    assert paths - {"health-monitoring-agent.hmaimage"} == set(found)


@pytest.mark.parametrize(
    ("region", "registry"),
    [
        ("us-west-2", "905418368575.dkr.ecr.us-west-2.amazonaws.com"),
        ("eu-north-1", "654654141839.dkr.ecr.eu-north-1.amazonaws.com"),
        ("ap-northeast-3", "767398015722.dkr.ecr.us-east-1.amazonaws.com"),
    ],
)
def test_the_agent_comes_from_the_account_of_its_region_or_as_the_chart_chooses(
    region: str, registry: str, groups: Groups
) -> None:
    values = charts(tuple(map(of_hyperpod, groups)), region=region)[HYPERPOD_CHART].values
    (image,) = CATALOG.charts[HYPERPOD_CHART].images
    assert values["health-monitoring-agent"]["hmaimage"] == f"{registry}/hyperpod-health-monitoring-agent:{image.tag}"


def test_another_agent_of_the_file_is_taken(groups: Groups) -> None:
    own = "111122223333.dkr.ecr.us-west-2.amazonaws.com/agent:2"
    given = {HYPERPOD_CHART: {"health-monitoring-agent": {"hmaimage": own}}}
    values = charts(tuple(map(of_hyperpod, groups)), chart_values=given)[HYPERPOD_CHART].values
    assert values["health-monitoring-agent"] == {"enabled": True, "hmaimage": own}


def test_plugins_list_the_types_of_hyperpod_and_tolerate_nodes_that_are_checked(groups: Groups) -> None:
    found = charts(tuple(of_hyperpod(each, "ml.trn2.48xlarge") for each in groups))
    assert found[EFA_CHART].values["supportedInstanceLabels"]["values"][-1] == "ml.trn2.48xlarge"
    assert found[NEURON_CHART].values["neuronInstances"][-1] == "ml.trn2.48xlarge"
    assert tolerates(found[EFA_CHART], "tolerations")
    defaults = CATALOG.charts[NEURON_CHART].default_tolerations["devicePlugin.tolerations"]
    assert any(each.tolerates(HEALTH_TAINT) for each in defaults), "the chart tolerates it itself"
    assert "tolerations" not in found[NEURON_CHART].values["devicePlugin"]


def test_a_list_of_tolerations_for_a_further_taint_keeps_that_of_checked_nodes(groups: Groups) -> None:
    extra = TaintPlan("team", "research", "NO_EXECUTE")
    tainted = tuple(replace(each, taints=(*each.taints, extra)) if each.taints else each for each in groups)
    found = charts(tuple(map(of_hyperpod, tainted)))
    assert tolerates(found[NEURON_CHART], "devicePlugin", "tolerations")
    assert tolerates(found[EFA_CHART], "tolerations")


def test_plugins_of_other_groups_stay_as_they_are(groups: Groups) -> None:
    values = charts(groups)[EFA_CHART].values
    assert not tolerates(charts(groups)[EFA_CHART], "tolerations")
    assert "supportedInstanceLabels" not in values


def test_the_taint_is_that_of_the_charts_of_aws() -> None:
    defaults = CATALOG.charts[NEURON_CHART].default_tolerations["devicePlugin.tolerations"]
    (own,) = [each for each in defaults if each.key == HEALTH_TAINT.key]
    assert Taint(str(own.key), str(own.value), "NoSchedule") == HEALTH_TAINT


def test_kueue_leaves_the_namespace_of_the_agent_alone(groups: Groups) -> None:
    found = charts(tuple(map(of_hyperpod, groups)), "kueue")
    text = found["kueue"].values["managerConfig"]["controllerManagerConfigYaml"]
    assert '"aws-hyperpod"' in text


RESUME = {"hyperpod.job_auto_resume": True}


def chart_of(plan: ClusterPlan, name: str) -> ChartPlan | None:
    assert plan.kubernetes is not None
    return next((chart for chart in plan.kubernetes.charts if chart.chart == name), None)


def test_only_job_auto_resume_brings_the_training_operator(plan_of: Callable[..., ClusterPlan]) -> None:
    assert chart_of(plan_of("hyperpod-trn2"), TRAINING_OPERATOR_CHART) is None
    operator = chart_of(plan_of("hyperpod-trn2", RESUME), TRAINING_OPERATOR_CHART)
    assert operator is not None
    assert (operator.release, operator.namespace) == ("training-operators", "kubeflow")
    assert [each.name for each in operator.namespaces] == ["kubeflow"], "with its Pod Security level"
    assert operator.values == {"createNamespace": False, "schemes": ["pytorchjob"]}


def test_the_operator_is_of_the_commit_of_hyperpods_chart_and_a_release_of_its_own(
    plan_of: Callable[..., ClusterPlan],
) -> None:
    """Helm installs the CRDs of a chart with a new release only: the part would bring none to one that exists."""
    plan = plan_of("hyperpod-trn2", RESUME)
    operator, dependencies = (chart_of(plan, name) for name in (TRAINING_OPERATOR_CHART, HYPERPOD_CHART))
    assert operator is not None
    assert dependencies is not None
    assert operator.version == dependencies.version
    assert operator.repository == f"oci://{plan.account}.dkr.ecr.us-east-2.amazonaws.com/training-operators"
    assert dependencies.values["trainingOperators"] == {"enabled": False}
    assert dependencies == chart_of(plan_of("hyperpod-trn2"), HYPERPOD_CHART)


def test_the_operator_has_no_kind_that_another_component_serves() -> None:
    own = {str(kind) for kind in CATALOG.charts[TRAINING_OPERATOR_CHART].provides}
    others = {
        str(kind)
        for row in (*CATALOG.charts, *CATALOG.manifests)
        for kind in row.provides
        if row.name != TRAINING_OPERATOR_CHART
    }
    assert "kubeflow.org/v1 PyTorchJob" in own
    assert own & others == set()


def test_kueue_manages_pytorchjobs_where_they_are_resumed(plan_of: Callable[..., ClusterPlan]) -> None:
    def configuration(edits: dict[str, Any] | None) -> str:
        kueue = chart_of(plan_of("hyperpod-trn2", edits), "kueue")
        assert kueue is not None
        return str(kueue.values["managerConfig"]["controllerManagerConfigYaml"])

    assert '"kubeflow.org/pytorchjob"' in configuration(RESUME)
    assert '"kubeflow"' in configuration(RESUME), "the namespace of the operator is not managed"
    assert "pytorchjob" not in configuration(None)


@pytest.mark.parametrize("edits", [{"eks.image_cache": True}, {"eks.image_cache": True, "network.nat": "none"}])
def test_a_cache_does_not_move_the_chart(edits: dict[str, Any], plan_of: Callable[..., ClusterPlan]) -> None:
    plan = with_hyperpod(plan_of("train-trn1", edits))
    (chart,) = [each for each in plan.charts if each.chart == HYPERPOD_CHART]
    assert chart.repository == "oci://111122223333.dkr.ecr.us-west-2.amazonaws.com/hyperpod-helm-chart"
