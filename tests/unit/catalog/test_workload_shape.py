"""Recorded workloads: each belongs to software that is known, and its value paths are keys of that software."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.source_data import CatalogError, read_rows
from neuron_cluster.catalog.workload_shape import WorkloadShape
from tests.every_case import every_case

CATALOG = load_catalog()

SHAPES = CATALOG.workload_shapes.by_name
EVERY_SHAPE = every_case("row", SHAPES.values(), ids=lambda row: row.name)
OF_CHARTS = every_case("row", [row for row in SHAPES.values() if row.made_by == "chart"], ids=lambda row: row.name)
WITHOUT_PODS_OF_THEIR_OWN = {"adot"}
"""Whose pods are not recorded: nothing of what is shipped uses it."""


@EVERY_SHAPE
def test_its_software_is_known(row: WorkloadShape) -> None:
    find = {"chart": CATALOG.charts.get, "addon": CATALOG.managed_addons.get, "manifest": CATALOG.manifests.get}[
        row.made_by
    ]
    assert find(row.software) is not None


def test_all_software_has_its_workloads() -> None:
    software = {
        *CATALOG.charts.names,
        *CATALOG.managed_addons.names,
        *CATALOG.manifests.names,
    } - WITHOUT_PODS_OF_THEIR_OWN
    assert software == {row.software for row in SHAPES.values()}


@OF_CHARTS
def test_its_value_paths_are_keys_of_the_chart(row: WorkloadShape) -> None:
    """Or lie in the free content of one: resources hold requests and limits."""
    found = CATALOG.charts.get(row.software)
    assert found is not None
    for each in row.value_paths:
        parent = each.path.rpartition(".")[0]
        assert found.value_kind(each.path) or found.value_kind(parent) == "mapping", each.path
        assert each.otherwise is None or found.value_kind(each.otherwise) == found.value_kind(each.path)


@OF_CHARTS
def test_what_decides_whether_it_is_made_is_a_switch_with_a_known_default(row: WorkloadShape) -> None:
    found = CATALOG.charts.get(row.software)
    assert found is not None
    assert set(row.when) <= set(found.switch_defaults)


@OF_CHARTS
def test_the_default_tolerations_are_those_of_the_chart_s_row(row: WorkloadShape) -> None:
    found = CATALOG.charts.get(row.software)
    assert found is not None
    for each in row.value_paths:
        if each.part == "tolerations" and each.effect == "replaces" and each.path in found.default_tolerations:
            assert row.tolerations == found.default_tolerations[each.path]


@pytest.mark.parametrize("name", ["neuron-helm-chart", "aws-efa-k8s-device-plugin", "aws-dranet"])
def test_the_instance_types_are_those_of_the_chart_s_row(name: str) -> None:
    found = CATALOG.charts.get(name)
    assert found is not None
    admitted = {
        value
        for row in CATALOG.workload_shapes.of_software(name)
        for term in row.node_affinity
        for each in term.match_expressions
        if each.key == "node.kubernetes.io/instance-type"
        for value in each.values
    }
    known = {each.name for each in CATALOG.instance_types if each.chip is not None}
    assert admitted & known == set(found.instance_types) & known


def test_what_every_node_needs_comes_to_every_node() -> None:
    for name in ("vpc-cni/aws-node", "kube-proxy/kube-proxy", "eks-pod-identity-agent/eks-pod-identity-agent"):
        assert SHAPES[name].kind == "DaemonSet"
        assert SHAPES[name].tolerates_everything


def test_the_efa_plugin_does_not() -> None:
    (row,) = CATALOG.workload_shapes.of_software("aws-efa-k8s-device-plugin")
    assert not row.tolerates_everything


def test_nothing_asks_for_neuron_devices() -> None:
    """Software that waits for a chip would keep a deployment waiting for a node that nobody has started yet."""
    assert not [row.name for row in SHAPES.values() if row.requests.extended]


def test_nothing_is_recorded_about_unknown_software() -> None:
    assert CATALOG.workload_shapes.of_software("../charts/kueue") == ()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("replicas: 1", "replicas: null", "is for what does not run on every node"),
        ("part: replicas", "part: instance_types", "no expression about instance types"),
        ("operator: Exists", "operator: exists", "one of Exists, Equal"),
    ],
)
def test_a_bad_row_is_refused(tmp_path, old: str, new: str, reason: str) -> None:
    text = (
        (CATALOG.workload_shapes.place / "kueue.yaml")
        .read_text()
        .replace("tolerations: []", "tolerations: [{operator: Exists}]")
    )
    assert old in text
    (tmp_path / "kueue.yaml").write_text(text.replace(old, new))
    with pytest.raises(CatalogError, match=reason):
        read_rows(tmp_path / "kueue.yaml", WorkloadShape)
