"""Every chart has a closed model, and what a model can write is what the chart of the catalog knows."""

import subprocess
import sys

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.schedulers.kubernetes.software.values.model import value_paths, values_model

CATALOG = load_catalog()

EVERY_CHART = pytest.mark.parametrize("row", CATALOG.charts.rows, ids=lambda row: row.name)


def kind_in(row: Chart, path: str, kind: str) -> str | None:
    """The chart's kind for a path; that of the path itself when it lies inside free content."""
    parts = path.split(".")
    around = (row.value_kind(".".join(parts[:length])) for length in range(1, len(parts)))
    return kind if "mapping" in around else row.value_kind(path)


@EVERY_CHART
def test_what_a_model_can_write_the_chart_can_read(row: Chart) -> None:
    model = values_model(row.name)
    assert model is not None
    paths = value_paths(model)
    assert paths
    assert {path: kind_in(row, path, kind) for path, kind in paths.items()} == dict(paths)


@EVERY_CHART
def test_every_image_of_a_chart_can_be_taken_from_a_mirror(row: Chart) -> None:
    """Where our values can turn it on: keys of images that stay off are not part of the model."""
    model = values_model(row.name)
    assert model is not None
    paths = value_paths(model)
    for image in row.images:
        is_on = all(image.switches.values())
        if is_on and image.value_path != "jobset.image":  # a subchart that is always turned off
            assert set(image.values_for("mirror.example/x")) <= set(paths), image.value_path


def test_a_chart_without_a_model_is_told_so() -> None:
    assert values_model("no-such-chart") is None
    assert values_model("closed-values") is None
    assert values_model("../model") is None


def test_a_model_of_one_chart_does_not_load_those_of_others() -> None:
    code = (
        "import sys; from neuron_cluster.schedulers.kubernetes.software.values.model import values_model;"
        "values_model('jobset');"
        "print(*[name for name in sys.modules if name.endswith(('.keda', '.prometheus_parts', 'pydantic'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_free_content_is_told_as_a_mapping() -> None:
    model = values_model("aws-load-balancer-controller")
    assert model is not None
    paths = value_paths(model)
    assert paths["defaultTags"] == "mapping"
    assert paths["keepTLSSecret"] == "boolean"
    assert paths["resources.requests.cpu"] == "string"
    assert paths["defaultTargetType"] == "string"


def test_the_neuron_scheduler_is_one_of_the_parts() -> None:
    model = values_model("neuron-helm-chart")
    assert model is not None
    assert value_paths(model)["scheduler.customScheduler.image.tag"] == "string"
    row = CATALOG.charts.get("neuron-helm-chart")
    assert row is not None
