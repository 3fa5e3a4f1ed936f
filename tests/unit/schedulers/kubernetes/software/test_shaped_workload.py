"""A recorded workload changes as the values of its software say."""

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.workload_shape import WorkloadShape
from neuron_cluster.schedulers.kubernetes.software.shaped_workload import is_made, shaped_workload

CATALOG = load_catalog()

SHAPES = CATALOG.workload_shapes.by_name
PLUGIN = SHAPES["neuron-helm-chart/neuron-device-plugin"]
DETECTOR = SHAPES["neuron-helm-chart/node-problem-detector"]
EFA = SHAPES["aws-efa-k8s-device-plugin/aws-efa-k8s-device-plugin"]
KUEUE = SHAPES["kueue/kueue-controller-manager"]
MINE = {"key": "team", "operator": "Exists", "effect": "NoSchedule"}


def instance_types(shape: WorkloadShape) -> tuple[str, ...]:
    (term,) = shape.node_affinity
    (expression,) = (each for each in term.match_expressions if each.key == "node.kubernetes.io/instance-type")
    return expression.values


def test_without_values_it_is_as_recorded() -> None:
    assert shaped_workload(KUEUE, {}) is KUEUE


def test_tolerations_of_the_values_take_the_place_of_the_chart_s() -> None:
    shape = shaped_workload(PLUGIN, {"devicePlugin": {"tolerations": [MINE]}})
    assert [each.key for each in shape.tolerations] == ["team"]


def test_where_the_template_has_some_of_its_own_they_stay() -> None:
    shape = shaped_workload(EFA, {"tolerations": [MINE]})
    assert [each.key for each in shape.tolerations] == ["CriticalAddonsOnly", "team"]


def test_the_list_of_instance_types_is_replaced_and_the_rest_of_the_affinity_stays() -> None:
    shape = shaped_workload(PLUGIN, {"neuronInstances": ["trn9.large"]})
    assert instance_types(shape) == ("trn9.large",)
    assert shape.node_affinity[0].match_expressions[1:] == PLUGIN.node_affinity[0].match_expressions[1:]


def test_types_that_the_template_leaves_out_are_left_out() -> None:
    driver = SHAPES["neuron-helm-chart/neuron-dra-driver-kubelet-plugin"]
    assert instance_types(shaped_workload(driver, {"neuronInstances": ["inf9.large", "trn9.large"]})) == ("trn9.large",)


def test_an_affinity_of_the_values_replaces_the_terms() -> None:
    terms = [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    (term,) = shaped_workload(PLUGIN, {"devicePlugin": {"affinity": affinity}}).node_affinity
    assert [(each.key, each.operator, each.values) for each in term.match_expressions] == [("a", "In", ("b",))]


def test_an_affinity_without_terms_stays_one_that_no_node_meets() -> None:
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}}
    (term,) = shaped_workload(PLUGIN, {"devicePlugin": {"affinity": affinity}}).node_affinity
    assert term.match_expressions == ()


def test_a_node_selector_is_merged_as_helm_merges_it() -> None:
    shape = shaped_workload(SHAPES["cert-manager/cert-manager"], {"nodeSelector": {"pool": "system"}})
    assert shape.node_selector == {"kubernetes.io/os": "linux", "pool": "system"}


def test_amounts_that_the_values_leave_out_stay() -> None:
    values = {"controllerManager": {"manager": {"resources": {"requests": {"cpu": "2"}}}, "replicas": 3}}
    shape = shaped_workload(KUEUE, values)
    assert (shape.requests.cpu_millicores, shape.requests.memory_bytes) == (2000, KUEUE.requests.memory_bytes)
    assert shape.limits == KUEUE.limits
    assert shape.replicas == 3


def test_of_several_containers_only_the_one_changes() -> None:
    values: dict[str, Any] = {"npd": {"nodeRecovery": {"resources": {"requests": {"memory": "200Mi"}}}}}
    shape = shaped_workload(DETECTOR, values)
    assert shape.requests.memory_bytes == (80 + 200) * 2**20
    assert shape.requests.cpu_millicores == DETECTOR.requests.cpu_millicores


def test_an_amount_that_kubernetes_cannot_read_is_refused() -> None:
    with pytest.raises(ValueError):
        shaped_workload(KUEUE, {"controllerManager": {"manager": {"resources": {"requests": {"memory": "1GB!"}}}}})


@pytest.mark.parametrize(
    ("values", "made"),
    [
        ({}, ["neuron-device-plugin", "node-problem-detector"]),
        ({"npd": {"enabled": False}}, ["neuron-device-plugin"]),
        ({"draDriver": {"enabled": True}}, ["neuron-dra-driver-kubelet-plugin"]),
        ({"scheduler": {"enabled": True}, "npd": {"enabled": False}},
         ["neuron-device-plugin", "k8s-neuron-scheduler", "my-scheduler"]),
    ],
)  # fmt: skip
def test_switches_decide_what_is_made(values: dict[str, Any], made: list[str]) -> None:
    row = CATALOG.charts.get("neuron-helm-chart")
    shapes = [each for each in SHAPES.values() if each.software == "neuron-helm-chart"]
    assert [each.workload for each in shapes if is_made(each, row, values)] == made


def test_an_add_on_makes_its_workloads_without_any_switch() -> None:
    assert is_made(SHAPES["vpc-cni/aws-node"], None, {})


def test_where_a_part_says_nothing_the_settings_of_the_whole_chart_count() -> None:
    keda = SHAPES["keda/keda-operator"]
    own = {"key": "own", "operator": "Exists"}
    for part in ({}, {"tolerations": []}):
        shape = shaped_workload(keda, {"tolerations": [MINE], "operator": part})
        assert [each.key for each in shape.tolerations] == ["team"]
    shape = shaped_workload(keda, {"tolerations": [MINE], "operator": {"tolerations": [own]}})
    assert [each.key for each in shape.tolerations] == ["own"]
