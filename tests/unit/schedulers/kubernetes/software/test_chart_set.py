"""The charts fit the nodes: each plugin tolerates what its nodes are tainted with, and knows their types."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan, TaintPlan
from neuron_cluster.schedulers.kubernetes.software.chart_set import DNS, SoftwareSet, software_set
from neuron_cluster.schedulers.kubernetes.software.component import build_component
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import (
    ADDONS,
    BUNDLED_CHARTS,
    CHARTS,
    CHARTS_OF_GROUPS,
    COMPONENTS,
    EFA_CHART,
    NEURON_CHART,
)
from neuron_cluster.schedulers.kubernetes.software.managed_addons import addons_for, required_addons
from neuron_cluster.schedulers.kubernetes.software.values.model import values_model

CATALOG = load_catalog()
ADDONS_PATH = ("eks", "addons")
WITH_DRA = ("neuron_dra_driver", "neuron_node_problem_detector", "efa_device_plugin")
PLUGINS = ("neuron_device_plugin", "neuron_node_problem_detector", "efa_device_plugin")
ALL = tuple(name for name in COMPONENTS if name not in ("neuron_dra_driver", "neuron_ultraserver_operator"))
"""Everything that goes together with the device plugin."""

PlanOf = Callable[..., Any]


@pytest.fixture
def software(plan_of: PlanOf) -> Callable[..., SoftwareSet]:
    """``software("jobset", groups=…, **fields)``: what the switches bring to the groups of train-trn1."""

    def chosen(*on: str, groups: tuple[NodeGroupPlan, ...] | None = None, **fields: Any) -> SoftwareSet:
        known = {
            "region": "us-west-2",
            "kubernetes_version": "1.35",
            "chart_values": {},
            "has_bucket": True,
            "neuron_sdk": "2.32.0",
            **fields,
        }
        node_groups = plan_of("train-trn1").kubernetes.node_groups if groups is None else groups
        return software_set(
            ComponentContext(
                addons_path=ADDONS_PATH, cluster="train", node_groups=node_groups, enabled=on, catalog=CATALOG, **known
            )
        )

    return chosen


@pytest.fixture
def tainted(plan_of: PlanOf) -> tuple[NodeGroupPlan, ...]:
    """The groups of train-trn1, the Neuron one with a taint more."""
    extra = TaintPlan("team", "research", "NO_EXECUTE")
    groups: tuple[NodeGroupPlan, ...] = plan_of("train-trn1").kubernetes.node_groups
    return tuple(replace(group, taints=(*group.taints, extra)) if group.taints else group for group in groups)


def by_release(chosen: SoftwareSet) -> dict[str, ChartPlan]:
    return {chart.release: chart for chart in chosen.charts}


def parts_that_are_on(chart: ChartPlan) -> list[str]:
    return [part for part, values in chart.values.items() if values["enabled"]]


def test_efa_nodes_bring_both_plugins_and_nodes_without_efa_only_the_neuron_one(plan_of: PlanOf) -> None:
    assert [chart.chart for chart in plan_of("train-trn1").kubernetes.charts][:2] == [NEURON_CHART, EFA_CHART]
    assert [chart.chart for chart in plan_of("dev-inf2").kubernetes.charts] == [NEURON_CHART]


def test_the_efa_plugin_tolerates_the_taint_of_every_neuron_group(software: Callable[..., SoftwareSet]) -> None:
    (efa,) = software("efa_device_plugin").charts
    assert efa.values["tolerations"] == [{"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"}]


@pytest.mark.parametrize("region", ["us-east-2", "ap-south-2"])
def test_the_efa_plugin_is_of_the_eks_registry_of_the_region_unless_the_file_has_one(
    region: str, software: Callable[..., SoftwareSet]
) -> None:
    row = CATALOG.regions.get(region)
    assert row is not None
    (chart,) = software("efa_device_plugin", region=region).charts
    assert chart.values["image"] == {"repository": f"{row.eks_image_registry}/eks/aws-efa-k8s-device-plugin"}
    own = {EFA_CHART: {"image": {"repository": "mirror.example/efa"}}}
    (chart,) = software("efa_device_plugin", region=region, chart_values=own).charts
    assert chart.values["image"] == {"repository": "mirror.example/efa"}


@pytest.mark.parametrize(
    ("switches", "release", "part"),
    [(PLUGINS, "neuron", "devicePlugin"), (WITH_DRA, "neuron-dra-driver", "draDriver")],
)
def test_a_further_taint_is_tolerated_beside_what_the_charts_tolerate(
    software: Callable[..., SoftwareSet],
    tainted: tuple[NodeGroupPlan, ...],
    switches: tuple[str, ...],
    release: str,
    part: str,
) -> None:
    charts = by_release(software(*switches, groups=tainted))
    extra = {"key": "team", "operator": "Exists", "effect": "NoExecute"}
    assert extra in charts[EFA_CHART].values["tolerations"]
    tolerations = charts[release].values[part]["tolerations"]
    assert extra in tolerations
    row = CATALOG.charts.get(NEURON_CHART)
    assert row is not None
    assert {t.key for t in row.default_tolerations[f"{part}.tolerations"]} <= {t["key"] for t in tolerations}


def test_a_type_that_a_chart_lacks_is_added_to_its_list_and_none_is_removed(plan_of: PlanOf) -> None:
    charts = {chart.chart: chart for chart in plan_of("train-trn3").kubernetes.charts}
    types = charts[EFA_CHART].values["supportedInstanceLabels"]["values"]
    row = CATALOG.charts.get(EFA_CHART)
    assert row is not None
    assert types == [*row.instance_types, "trn3.48xlarge"]
    assert "neuronInstances" not in charts[NEURON_CHART].values, "the Neuron chart knows the type by itself"


def test_a_type_newer_than_the_neuron_chart_is_in_the_list_of_both_its_releases(
    software: Callable[..., SoftwareSet], plan_of: PlanOf
) -> None:
    groups = tuple(
        replace(group, machine=replace(group.machine, instance_type="trn9.48xlarge")) if group.taints else group
        for group in plan_of("train-trn1").kubernetes.node_groups
    )
    charts = by_release(software(*WITH_DRA, groups=groups))
    for release in ("neuron", "neuron-dra-driver"):
        assert charts[release].values["neuronInstances"][-1] == "trn9.48xlarge"


def test_the_detectors_namespace_is_made_before_the_chart_and_only_with_the_detector(
    software: Callable[..., SoftwareSet],
) -> None:
    names = [namespace.name for namespace in by_release(software(*PLUGINS))["neuron"].namespaces]
    assert names == ["neuron-healthcheck-system"]
    assert by_release(software("neuron_device_plugin"))["neuron"].namespaces == ()


def test_the_detector_repairs_only_when_the_file_says_so_and_then_has_its_role(
    software: Callable[..., SoftwareSet],
) -> None:
    neuron = by_release(software(*PLUGINS))["neuron"]
    assert neuron.values["npd"] == {"enabled": True, "nodeRecovery": {"enabled": False}}
    assert neuron.pod_roles == ()
    values = {NEURON_CHART: {"npd": {"nodeRecovery": {"enabled": True}}}}
    (role,) = by_release(software(*PLUGINS, chart_values=values))["neuron"].pod_roles
    assert (role.namespace, role.service_account) == ("neuron-healthcheck-system", "node-problem-detector")
    assert any("autoscaling:SetInstanceHealth" in statement.actions for statement in role.statements)


def test_the_dra_driver_has_a_release_after_the_one_without_the_device_plugin(
    software: Callable[..., SoftwareSet],
) -> None:
    """In one release with the driver, the chart would drop the detector without a word."""
    neuron, driver, _ = software(*WITH_DRA).charts
    assert (neuron.release, parts_that_are_on(neuron)) == ("neuron", ["npd"])
    assert (driver.release, parts_that_are_on(driver)) == ("neuron-dra-driver", ["draDriver"])
    assert driver.needs == ("neuron",)


def test_the_dra_driver_alone_waits_for_nothing_and_makes_its_own_namespace(
    software: Callable[..., SoftwareSet],
) -> None:
    """Helm refuses to take over a namespace that another hand has made."""
    (driver,) = software("neuron_dra_driver").charts
    assert (driver.release, driver.needs, driver.namespaces) == ("neuron-dra-driver", (), ())
    assert "namespaceOverride" not in driver.values["draDriver"]


def test_the_ultraserver_operator_is_in_the_release_of_the_driver(software: Callable[..., SoftwareSet]) -> None:
    (driver,) = software("neuron_dra_driver", "neuron_ultraserver_operator").charts
    assert parts_that_are_on(driver) == ["draDriver", "ultraserverOperator"]


@pytest.mark.parametrize("version", ["1.33", "1.34", "1.35"])
def test_the_scheduler_extension_runs_a_scheduler_of_the_cluster_s_version(
    software: Callable[..., SoftwareSet], version: str
) -> None:
    chosen = software("neuron_device_plugin", "neuron_scheduler", kubernetes_version=version)
    scheduler = by_release(chosen)["neuron"].values["scheduler"]
    assert scheduler["customScheduler"]["image"]["tag"].startswith(f"v{version}.")
    assert scheduler["defaultScheduler"] == {"enabled": False}


def test_a_trainer_brings_its_own_jobset_only_where_the_cluster_has_none(software: Callable[..., SoftwareSet]) -> None:
    (alone,) = software("kubeflow_trainer").charts
    assert alone.values["jobset"] == {"install": True}
    both = by_release(software("jobset", "kubeflow_trainer"))
    assert both["kubeflow-trainer"].values["jobset"] == {"install": False}
    assert "jobset" in both["kubeflow-trainer"].needs


def test_kueue_comes_after_whatever_brings_kinds_that_it_minds(software: Callable[..., SoftwareSet]) -> None:
    kueue = by_release(software(*ALL))["kueue"]
    assert {"jobset", "kubeflow-trainer", "lws", "cert-manager", "kube-prometheus-stack"} <= set(kueue.needs)
    text = kueue.values["managerConfig"]["controllerManagerConfigYaml"]
    assert "trainer.kubeflow.org/trainjob" in text
    alone = by_release(software("kueue"))["kueue"]
    assert "trainjob" not in alone.values["managerConfig"]["controllerManagerConfigYaml"]
    assert alone.needs == (DNS,)


def test_kueue_manages_kinds_of_serving_of_the_cluster_and_not_its_software(
    software: Callable[..., SoftwareSet],
) -> None:
    """Without `pod` pods pass uncounted while Kueue is away; in every namespace it would hold back its rescuers."""
    alone, all_of_it = (by_release(software(*on))["kueue"] for on in (("kueue",), ALL))
    configuration = json.loads(alone.values["managerConfig"]["controllerManagerConfigYaml"])
    frameworks = configuration["integrations"]["frameworks"]
    assert {"pod", "deployment", "statefulset"} <= set(frameworks)
    assert "leaderworkerset.x-k8s.io/leaderworkerset" not in frameworks
    configuration = json.loads(all_of_it.values["managerConfig"]["controllerManagerConfigYaml"])
    assert "leaderworkerset.x-k8s.io/leaderworkerset" in configuration["integrations"]["frameworks"]
    (left_out,) = configuration["managedJobsNamespaceSelector"]["matchExpressions"]
    assert (left_out["key"], left_out["operator"]) == ("kubernetes.io/metadata.name", "NotIn")
    assert {"kube-system", *(chart.namespace for chart in software(*ALL).charts)} <= set(left_out["values"])
    assert "default" not in left_out["values"]


def _kueue(values: Mapping[str, Any]) -> tuple[Any, Any]:
    text = values["managerConfig"]["controllerManagerConfigYaml"]
    return values["controllerManager"], json.loads(text)["waitForPodsReady"]


def test_kueue_gives_pods_the_time_of_the_file_and_tries_again_within_minutes(
    software: Callable[..., SoftwareSet],
) -> None:
    _, usual = _kueue(by_release(software("kueue"))["kueue"].values)
    assert (usual["timeout"], usual["recoveryTimeout"]) == ("180m", "180m")
    assert usual["requeuingStrategy"]["backoffMaxSeconds"] <= 120
    _, longer = _kueue(by_release(software("kueue", pods_ready_minutes=300))["kueue"].values)
    assert (longer["timeout"], longer["recoveryTimeout"]) == ("300m", "300m")


def test_kueue_answers_while_one_of_its_pods_moves(software: Callable[..., SoftwareSet]) -> None:
    """Its webhook rejects pods of all namespaces of jobs while none of its pods responds."""
    manager, _ = _kueue(by_release(software("kueue"))["kueue"].values)
    assert (manager["replicas"], manager["podDisruptionBudget"]) == (2, {"enabled": True, "minAvailable": 1})
    assert manager["manager"]["priorityClassName"] == "system-cluster-critical"
    (spread,) = manager["topologySpreadConstraints"]
    assert spread["topologyKey"] == "kubernetes.io/hostname"


def test_kueue_is_monitored_where_there_is_a_prometheus(software: Callable[..., SoftwareSet]) -> None:
    assert by_release(software("kueue"))["kueue"].values["enablePrometheus"] is False
    kueue = by_release(software("kueue", "kube_prometheus_stack"))["kueue"]
    assert kueue.values["enablePrometheus"] is True
    assert "kube-prometheus-stack" in kueue.needs


def test_every_need_is_there_and_comes_before(software: Callable[..., SoftwareSet]) -> None:
    done = {DNS}
    for chart in software(*ALL).charts:
        assert set(chart.needs) <= done, chart.release
        done.add(chart.release)


def test_helm_waits_for_charts_with_failing_webhooks_which_have_no_daemon_sets(
    software: Callable[..., SoftwareSet],
) -> None:
    waits = {chart.chart for chart in software(*ALL).charts if chart.waits}
    assert waits == {row.name for row in CATALOG.charts if row.webhooks == "fail" and row.name in set(CHARTS.values())}
    for name in waits:
        assert not any(shape.kind == "DaemonSet" for shape in CATALOG.workload_shapes.of_software(name))


PRIVILEGED = {"neuron-healthcheck-system", "neuron-monitor", "prometheus-node-exporter"}
"""Whose pods read the host: nothing else runs there."""


def test_each_namespace_of_software_has_a_pod_security_level_of_the_clusters_version(
    software: Callable[..., SoftwareSet],
) -> None:
    for chart in software(*ALL).charts:
        labels = {n.name: n.labels for n in chart.namespaces}
        assert chart.namespace == "kube-system" or chart.namespace in labels, chart.release
        for name, each in labels.items():
            assert each["pod-security.kubernetes.io/enforce"] == ("privileged" if name in PRIVILEGED else "baseline")
            assert each["pod-security.kubernetes.io/enforce-version"].startswith("v1.")
            assert {f"pod-security.kubernetes.io/{mode}" for mode in ("warn", "audit")} <= each.keys()


def test_prometheus_and_grafana_do_not_run_where_the_node_exporter_may_read_the_host(
    software: Callable[..., SoftwareSet],
) -> None:
    stack = by_release(software("kube_prometheus_stack"))["kube-prometheus-stack"]
    assert stack.namespace == "monitoring"
    home = stack.values["prometheus-node-exporter"]["namespaceOverride"]
    assert {n.name for n in stack.namespaces} == {"monitoring", home}
    (shape,) = [
        s for s in CATALOG.workload_shapes.of_software("kube-prometheus-stack") if s.workload.endswith("node-exporter")
    ]
    assert shape.namespace == home


def test_helm_gives_up_before_the_function_that_runs_it(software: Callable[..., SoftwareSet]) -> None:
    assert all(chart.timeout_minutes < 15 for chart in software(*ALL).charts)


def test_values_of_the_file_are_put_into_ours_and_lists_replaced(software: Callable[..., SoftwareSet]) -> None:
    theirs = {"kueue": {"controllerManager": {"replicas": 3}}, EFA_CHART: {"tolerations": [{"operator": "Exists"}]}}
    charts = by_release(software("kueue", "efa_device_plugin", chart_values=theirs))
    assert charts["kueue"].values["controllerManager"]["replicas"] == 3
    assert "managerConfig" in charts["kueue"].values
    assert charts[EFA_CHART].values["tolerations"] == [{"operator": "Exists"}]


def test_the_load_balancer_controller_has_its_role_and_no_webhook_over_services(
    software: Callable[..., SoftwareSet],
) -> None:
    (controller,) = software("aws_load_balancer_controller").charts
    (role,) = controller.pod_roles
    assert role.service_account == controller.values["serviceAccount"]["name"]
    assert controller.values["enableServiceMutatorWebhook"] is False


def test_every_key_that_we_set_is_one_that_the_chart_knows(software: Callable[..., SoftwareSet]) -> None:
    def leaves(values: Mapping[str, Any], row: Any, above: str = "") -> list[str]:
        found = []
        for key, value in values.items():
            path = f"{above}.{key}" if above else key
            inside = isinstance(value, dict) and row.value_kind(path) is None
            found += leaves(value, row, path) if inside else [path]
        return found

    for chart in (*software(*ALL).charts, *software(*WITH_DRA, "neuron_ultraserver_operator").charts):
        row = CATALOG.charts.get(chart.chart)
        if row is not None:
            assert [path for path in leaves(chart.values, row) if row.value_kind(path) is None] == []


def test_every_component_brings_the_chart_or_add_on_of_its_row(plan_of: PlanOf) -> None:
    context = ComponentContext(
        addons_path=ADDONS_PATH,
        cluster="train",
        region="us-west-2",
        kubernetes_version="1.35",
        node_groups=plan_of("train-trn1").kubernetes.node_groups,
        enabled=tuple(COMPONENTS),
        catalog=CATALOG,
        chart_values={},
        has_bucket=True,
        neuron_sdk="2.32.0",
    )
    built = {name: build_component(name, context) for name in COMPONENTS}
    charts = {name: release.chart for name, each in built.items() for release in each.releases}
    assert charts == {**CHARTS, **CHARTS_OF_GROUPS, **BUNDLED_CHARTS}
    assert {name: addon.name for name, each in built.items() for addon in each.addons} == ADDONS


def test_every_chart_that_a_switch_brings_has_a_row_and_a_closed_model() -> None:
    charts = (*CHARTS.values(), *CHARTS_OF_GROUPS.values())
    assert [name for name in charts if CATALOG.charts.get(name) is None or values_model(name) is None] == []
    assert [name for name in BUNDLED_CHARTS.values() if values_model(name) is None] == []


def test_names_of_releases_and_add_ons_are_not_shared(software: Callable[..., SoftwareSet]) -> None:
    """Needs are by name."""
    chosen = software(*ALL)
    names = [
        *(chart.release for chart in chosen.charts),
        *required_addons(CATALOG),
        *(addon.name for addon in chosen.addons),
    ]
    assert len(set(names)) == len(names)


def test_every_add_on_that_is_named_here_is_in_the_catalog() -> None:
    assert [name for name in ADDONS.values() if CATALOG.managed_addons.get(name) is None] == []


def test_what_nodes_need_comes_before_them_and_what_needs_nodes_after(software: Callable[..., SoftwareSet]) -> None:
    chosen = software("node_monitoring_agent", "fsx_csi_driver")
    addons = addons_for(chosen.addons, (), CATALOG, ADDONS_PATH)
    assert [addon.name for addon in addons if addon.before_nodes] == ["vpc-cni", "kube-proxy", "eks-pod-identity-agent"]
    assert [addon.name for addon in addons if not addon.before_nodes] == [
        "coredns",
        "eks-node-monitoring-agent",
        "aws-fsx-csi-driver",
    ]


def test_rights_come_through_pod_identity_and_are_as_few_as_can_be(software: Callable[..., SoftwareSet]) -> None:
    chosen = software("fsx_csi_driver", "mountpoint_s3_csi_driver", "ebs_csi_driver", has_express=True)
    addons = {addon.name: addon for addon in addons_for(chosen.addons, (), CATALOG, ADDONS_PATH)}
    (cni,) = addons["vpc-cni"].pod_roles
    assert (cni.service_account, cni.managed_policies) == ("aws-node", ("AmazonEKS_CNI_Policy",))
    assert addons["aws-fsx-csi-driver"].pod_roles == ()
    (bucket,) = addons["aws-mountpoint-s3-csi-driver"].pod_roles
    assert all("*" not in statement.resources for statement in bucket.statements)
    (volumes,) = addons["aws-ebs-csi-driver"].pod_roles
    assert volumes.managed_policies == ("service-role/AmazonEBSCSIDriverPolicy",)


def test_without_a_bucket_the_s3_driver_has_no_role(software: Callable[..., SoftwareSet]) -> None:
    addon = addons_for(software("mountpoint_s3_csi_driver", has_bucket=False).addons, (), CATALOG, ADDONS_PATH)[-1]
    assert addon.pod_roles == ()
