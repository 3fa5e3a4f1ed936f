"""Every own chart lints and renders with every helm, to valid objects, and says the same each time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from bundled_charts import AN_EXAMPLE_OF_EACH, DEFAULTS, EXAMPLES, ONE_OF_EACH, BundledChart, case_id, cases
from object_schemas import errors
from renders import NAMESPACE, RELEASE, HelmOfVersion, Renders, helms, newest_helm

from neuron_cluster.kube.helm import Helm, HelmError

pytestmark = pytest.mark.slow
REFUSED_ON_PURPOSE = ("values don't meet the specifications of the schema", "execution error at")
"""How helm says that the schema or a ``fail`` of the chart refused the values; anything else is a broken template."""


@EXAMPLES
def test_helm_renders_an_example(chart: BundledChart, example: str, renders: Renders) -> None:
    for version in few_helms(chart, example):
        assert renders.objects(chart, example, version), f"{version} renders nothing"


@AN_EXAMPLE_OF_EACH
def test_an_example_lints(chart: BundledChart, example: str, renders: Renders) -> None:
    newest = newest_helm()
    renders.helm(newest).lint(chart.folder, chart.values(example), newest.kube_version)


@EXAMPLES
def test_every_object_is_valid(chart: BundledChart, example: str, renders: Renders) -> None:
    assert invalid_objects(chart, example, few_helms(chart, example), renders) == []


@pytest.mark.exhaustive
@EXAMPLES
def test_every_helm_lints_and_renders_an_example_to_valid_objects(
    chart: BundledChart, example: str, renders: Renders
) -> None:
    fitting = helms(chart.kubernetes_from(example))
    assert [version for version in fitting if not renders.objects(chart, example, version)] == []
    assert invalid_objects(chart, example, fitting, renders) == []
    for version in {version.content: version for version in fitting}.values():
        renders.helm(version).lint(chart.folder, chart.values(example), version.kube_version)


@AN_EXAMPLE_OF_EACH
def test_an_example_renders_with_the_version_that_helm_takes_by_itself(
    chart: BundledChart, example: str, renders: Renders
) -> None:
    """As for people who run ``helm template`` without --kube-version; that of helm 3 is older than any of EKS's."""
    for version in {version.content: version for version in helms()}.values():
        helm, said = renders.helm(version), ""
        try:
            helm.template(chart.folder, RELEASE, NAMESPACE, chart.values(example), None)
        except HelmError as refusal:
            said = refusal.message
        assert not said or f"wants {chart.kubernetes_from(example)} or newer" in said, f"{version}: {said}"


@AN_EXAMPLE_OF_EACH
def test_an_example_renders_to_the_same_each_time(
    chart: BundledChart, example: str, renders: Renders, unkept_helm: Callable[[str], Helm]
) -> None:
    """And as some earlier run kept it."""
    anew = Renders(unkept_helm).objects(chart, example, newest_helm())
    assert anew == renders.objects(chart, example, newest_helm())


@pytest.mark.parametrize("chart", sorted({chart for chart, _ in cases()}, key=str), ids=case_id)
def test_the_defaults_render_or_are_refused_in_words(chart: BundledChart, renders: Renders) -> None:
    said = ""
    try:
        renders.objects(chart, DEFAULTS, newest_helm())
    except HelmError as refusal:
        said = refusal.message
    assert not said or any(text in said for text in REFUSED_ON_PURPOSE)
    assert said or invalid_objects(chart, DEFAULTS, few_helms(chart, DEFAULTS), renders) == []


@pytest.mark.parametrize("chart", sorted({chart for chart, _ in cases()}, key=str), ids=case_id)
def test_the_defaults_lint(chart: BundledChart, renders: Renders) -> None:
    """``helm lint CHART`` is the first thing that people and their CI run."""
    newest = newest_helm()
    renders.helm(newest).lint(chart.folder, chart.values(DEFAULTS), newest.kube_version)


def test_the_monitor_renders_with_its_defaults_and_refuses_an_empty_list(renders: Renders) -> None:
    (chart,) = {chart for chart, _ in cases() if chart.name == "neuron-monitor"}
    kinds = {body["kind"] for body in renders.objects(chart, DEFAULTS, newest_helm())}
    assert "DaemonSet" in kinds
    with pytest.raises(HelmError, match="instanceTypes"):
        renders.of_values(chart, {"instanceTypes": []}, newest_helm())


def test_the_monitor_brings_its_own_configuration(renders: Renders) -> None:
    """A path inside the image would be one of a release: the add-on of CloudWatch mounts its own too."""
    (chart,) = {chart for chart, _ in cases() if chart.name == "neuron-monitor"}
    objects = renders.objects(chart, "inf2-no-efa", newest_helm())
    (monitor,) = (body for body in objects if body["kind"] == "DaemonSet")
    (container,) = monitor["spec"]["template"]["spec"]["containers"]
    (mount,) = container["volumeMounts"]
    read = container["args"][container["args"].index("--neuron-monitor-config") + 1]
    folder, _, file = read.rpartition("/")
    assert mount["mountPath"] == folder
    (program,) = (body for body in objects if body["kind"] == "ConfigMap")
    groups = json.loads(program["data"][file])["system_metrics"]
    assert {"type": "neuron_hw_counters"} in groups


def few_helms(chart: BundledChart, example: str) -> list[HelmOfVersion]:
    """The first that fits and the newest for one example of each chart, the newest for the others."""
    fitting = helms(chart.kubernetes_from(example))
    return [fitting[0], fitting[-1]] if (chart, example) in ONE_OF_EACH else [newest_helm()]


def invalid_objects(
    chart: BundledChart, example: str, versions: Sequence[HelmOfVersion], renders: Renders
) -> list[str]:
    """Returns faults of objects by the strict schema of a Kubernetes version."""
    return [
        f"{version.kube_version} {body['kind']}/{body['metadata'].get('name')}: {error}"
        for version in versions
        for body in renders.objects(chart, example, version)
        for error in errors(body, version.kube_version)
    ]


@AN_EXAMPLE_OF_EACH
def test_the_notes_name_the_release_and_commands(chart: BundledChart, example: str, renders: Renders) -> None:
    notes = renders.helm(newest_helm()).notes(chart.folder, RELEASE, NAMESPACE, chart.values(example))
    commands = [line for line in notes.splitlines() if re.search(r"(^|\s)(kubectl|helm|neuron-cluster) ", line)]
    assert RELEASE in notes
    assert NAMESPACE in notes
    assert len(commands) >= 2


def _labels(body: Mapping[str, Any]) -> Mapping[str, str]:
    return body["metadata"].get("labels") or {}


@EXAMPLES
def test_every_object_carries_the_recommended_labels(chart: BundledChart, example: str, renders: Renders) -> None:
    wanted = {"app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by"}
    lacking = [
        f"{body['kind']}/{body['metadata']['name']}: {sorted(wanted - _labels(body).keys())}"
        for body in renders.objects(chart, example, newest_helm())
        if not wanted <= _labels(body).keys()
    ]
    assert lacking == []


@AN_EXAMPLE_OF_EACH
def test_two_releases_in_one_namespace_share_no_object(chart: BundledChart, example: str, renders: Renders) -> None:
    def names(objects: tuple[Mapping[str, Any], ...]) -> set[tuple[str, str]]:
        return {(body["kind"], body["metadata"]["name"]) for body in objects}

    first = names(renders.objects(chart, example, newest_helm()))
    second = names(renders.of_values(chart, chart.values(example), newest_helm(), release="other"))
    assert first & second == set()


def test_the_helms_are_helm_3_and_that_of_each_supported_version(renders: Renders) -> None:
    said: dict[HelmOfVersion, str] = {version: renders.helm(version).version() for version in helms()}
    assert [found.startswith(f"{version.content}") for version, found in said.items()] == [True] * len(said)
    assert {found.partition(".")[0] for found in said.values()} == {"3", "4"}
