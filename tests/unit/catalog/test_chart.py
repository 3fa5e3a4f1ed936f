"""Charts: a closed list of values, pinned images, and where the chart itself lies."""

import pytest

from neuron_cluster.catalog.chart import Chart, chart, charts

EVERY_CHART = pytest.mark.parametrize("row", charts().values(), ids=lambda row: row.name)


def known(name: str) -> Chart:
    found = chart(name)
    assert found is not None
    return found


@EVERY_CHART
def test_nothing_floats(row: Chart) -> None:
    assert row.version
    assert all(image.tag and image.tag != "latest" for image in row.images)


@EVERY_CHART
def test_an_image_from_the_registry_of_eks_is_a_path_inside_it(row: Chart) -> None:
    assert all(("." in image.repository.split("/")[0]) is (image.registry == "public") for image in row.images)


def test_values_are_asked_by_dotted_path() -> None:
    neuron = known("neuron-helm-chart")
    assert neuron.value_kind("devicePlugin.enabled") == "boolean"
    assert neuron.value_kind("devicePlugin.enabledd") is None
    assert neuron.near_values("devicePlugin.enabledd")[0] == "devicePlugin.enabled"


def test_a_key_is_either_a_value_or_holds_others() -> None:
    for row in charts().values():
        assert not [path for path in row.values if any(other.startswith(f"{path}.") for other in row.values)], row.name


def test_the_kinds_of_values_are_few() -> None:
    kinds = {kind for row in charts().values() for kind in row.values.values()}
    assert kinds == {"boolean", "integer", "string", "list", "mapping"}


def test_the_neuron_chart_uses_a_namespace_that_it_does_not_make() -> None:
    assert known("neuron-helm-chart").further_namespaces == ("neuron-healthcheck-system",)


def test_the_efa_chart_tolerates_no_neuron_taint_by_itself() -> None:
    assert known("aws-efa-k8s-device-plugin").default_tolerations == {"tolerations": ()}


def test_the_device_plugin_tolerates_the_neuron_taint() -> None:
    tolerations = known("neuron-helm-chart").default_tolerations["devicePlugin.tolerations"]
    assert "aws.amazon.com/neuron" in {toleration.key for toleration in tolerations}
