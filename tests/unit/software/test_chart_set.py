"""The charts fit the nodes: each plugin tolerates what its nodes are tainted with."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from pydantic import ValidationError

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.eks import Addons
from neuron_cluster.line import check_environment
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.cluster_plan import NodeGroupPlan, TaintPlan
from neuron_cluster.software.chart_set import EFA_CHART, NEURON_CHART, charts_for
from neuron_cluster.software.chart_values import EfaPluginValues, NeuronChartValues
from neuron_cluster.software.managed_addons import ALWAYS, WITHOUT_ROLE, addons_for

ROOT = Path(__file__).parents[3]
CATALOG = load_catalog()


def groups(environment: str) -> tuple[NodeGroupPlan, ...]:
    plan = check_environment(ROOT / "environments" / f"{environment}.yaml").require_plan()
    return plan.eks.node_groups


def charts(environment: str = "train-trn1", **switches: str) -> dict[str, ChartPlan]:
    return {chart.chart: chart for chart in planned(environment, **switches)}


def planned(environment: str = "train-trn1", **switches: str) -> tuple[ChartPlan, ...]:
    return charts_for(Addons.model_validate(switches), groups(environment), CATALOG)


def parts_that_are_on(chart: ChartPlan) -> list[str]:
    return [part for part, values in chart.values.items() if values["enabled"]]


def test_efa_nodes_bring_both_plugins_and_nodes_without_efa_only_the_neuron_one():
    assert list(charts("train-trn1")) == [NEURON_CHART, EFA_CHART]
    assert list(charts("dev-inf2")) == [NEURON_CHART]


def test_the_efa_plugin_tolerates_the_taint_of_every_neuron_group():
    (toleration,) = charts()[EFA_CHART].values["tolerations"]
    assert toleration == {"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"}


def test_a_further_taint_is_tolerated_by_both_plugins_and_replaces_none_of_the_charts_own():
    tainted = [
        replace(group, taints=(*group.taints, TaintPlan("team", "research", "NO_EXECUTE"))) if group.taints else group
        for group in groups("train-trn1")
    ]
    neuron, efa = charts_for(Addons(), tainted, CATALOG)
    extra = {"key": "team", "operator": "Exists", "effect": "NoExecute"}
    assert extra in efa.values["tolerations"]
    tolerations = neuron.values["devicePlugin"]["tolerations"]
    assert extra in tolerations
    own = CATALOG.chart(NEURON_CHART).default_tolerations["devicePlugin.tolerations"]
    assert {t.key for t in own} <= {t["key"] for t in tolerations}


def test_the_detectors_namespace_is_made_before_the_chart_and_only_with_the_detector():
    assert [n.name for n in charts()[NEURON_CHART].namespaces] == ["neuron-healthcheck-system"]
    assert charts(neuron_node_problem_detector="false")[NEURON_CHART].namespaces == ()


def test_the_detector_never_repairs_because_eks_does():
    assert charts()[NEURON_CHART].values["npd"] == {"enabled": True, "nodeRecovery": {"enabled": False}}


def test_the_dra_driver_has_a_release_of_its_own_after_the_one_that_lost_the_device_plugin():
    """In one release with the driver, the chart would drop the detector without a word."""
    neuron, driver, _ = planned(neuron_dra_driver="true")
    assert (neuron.release, parts_that_are_on(neuron)) == ("neuron", ["npd"])
    assert (driver.release, parts_that_are_on(driver)) == ("neuron-dra-driver", ["draDriver"])
    assert driver.needs == ("neuron",)


def test_the_dra_driver_alone_waits_for_nothing():
    driver, _ = planned(neuron_dra_driver="true", neuron_node_problem_detector="false")
    assert (driver.release, driver.needs) == ("neuron-dra-driver", ())


def test_no_namespace_is_made_for_the_dra_driver():
    """The chart makes it: helm refuses to take over one that another hand has made."""
    *_, driver, _ = planned(neuron_dra_driver="true")
    assert driver.namespaces == ()
    assert "namespaceOverride" not in driver.values["draDriver"]


def test_a_further_taint_is_tolerated_by_the_dra_driver_beside_what_its_chart_tolerates():
    tainted = [
        replace(group, taints=(*group.taints, TaintPlan("team", "research", "NO_EXECUTE"))) if group.taints else group
        for group in groups("train-trn1")
    ]
    _, driver, _ = charts_for(Addons.model_validate({"neuron_dra_driver": "true"}), tainted, CATALOG)
    tolerations = driver.values["draDriver"]["tolerations"]
    assert {"key": "team", "operator": "Exists", "effect": "NoExecute"} in tolerations
    own = CATALOG.chart(NEURON_CHART).default_tolerations["draDriver.tolerations"]
    assert {t.key for t in own} <= {t["key"] for t in tolerations}


def test_a_chart_that_is_switched_off_is_not_there():
    assert charts(neuron_device_plugin="false", efa_device_plugin="false") == {}


def test_every_key_that_we_set_is_one_that_the_chart_knows():
    def leaves(values: dict, above: str = "") -> list[str]:
        found = []
        for key, value in values.items():
            path = f"{above}.{key}" if above else key
            found += leaves(value, path) if isinstance(value, dict) else [path]
        return found

    for chart in (*planned(), *planned(neuron_dra_driver="true")):
        row = CATALOG.chart(chart.chart)
        assert [path for path in leaves(dict(chart.values)) if row.value_kind(path) is None] == []


@pytest.mark.parametrize(
    "values", [{"devicePlugin": {"enabled": "false"}}, {"devicePlugin": {"enabled": True}, "ndp": {"enabled": True}}]
)
def test_misspelt_keys_and_texts_for_switches_cannot_be_written(values: dict):
    with pytest.raises(ValidationError):
        NeuronChartValues.model_validate(values)


def test_the_efa_plugin_cannot_be_given_values_it_does_not_know():
    with pytest.raises(ValidationError):
        EfaPluginValues.model_validate({"toleration": []})


def test_every_add_on_that_is_named_here_is_in_the_catalog():
    assert [name for name in (*ALWAYS, *WITHOUT_ROLE) if CATALOG.managed_addon(name) is None] == []


def test_what_nodes_need_comes_before_them_and_what_needs_nodes_after():
    addons = addons_for(Addons(), groups("train-trn1"), CATALOG, has_lustre=True)
    before = [addon.name for addon in addons if addon.before_nodes]
    after = [addon.name for addon in addons if not addon.before_nodes]
    assert before == ["vpc-cni", "kube-proxy", "eks-pod-identity-agent"]
    assert after == ["coredns", "eks-node-monitoring-agent", "aws-fsx-csi-driver"]
    assert [addon.name for addon in addons] == before + after


def test_the_cni_gets_its_rights_through_pod_identity_and_the_lustre_driver_none():
    addons = {a.name: a for a in addons_for(Addons(), groups("train-trn1"), CATALOG, has_lustre=True)}
    (role,) = addons["vpc-cni"].pod_roles
    assert (role.service_account, role.managed_policies) == ("aws-node", ("AmazonEKS_CNI_Policy",))
    assert addons["aws-fsx-csi-driver"].pod_roles == ()
