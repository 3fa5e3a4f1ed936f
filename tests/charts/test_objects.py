"""Rendered bundled charts violate no manifest rule. Tests with every helm check that they are valid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import AN_EXAMPLE_OF_EACH, DEFAULTS, EXAMPLES, BundledChart, case_id, cases
from renders import NAMESPACE, Renders, newest_helm

from local_kubernetes.model.fields import expand
from local_kubernetes.model.release import Release
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.helm import HelmError
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests

CATALOG = load_catalog()

pytestmark = pytest.mark.slow
WITH_DEFAULTS = pytest.mark.parametrize(("chart", "example"), cases(defaults=True), ids=case_id)
WRITES_BESIDE_ITS_IMAGE = {
    "batch-inference": {"batch"},
    "collectives-check": {"check"},
    "compile-cache-warmer": {"compiler", "list"},
    "model-store": {"tool"},
    "neuron-explorer": {"capture", "viewer", "ingest", "tool", "profiles"},
    "neuron-monitor": {"neuron-monitor"},
    "neuron-serving": {"server", "vllm"},
    "neuron-training": {"trainer", "launcher", "pytorch"},
    "serving-check": set(),
}
"""Containers of programs that are not this toolkit's; the charts' templates say why at ``containerSecurity``."""
LONGEST_RELEASE = "a-release-whose-name-is-as-long-as-helm-lets-it-be-53"


def _objects(chart: BundledChart, example: str, renders: Renders) -> tuple[Mapping[str, Any], ...]:
    """The render, or nothing where the chart refuses its own defaults, which ``test_renders`` judges."""
    try:
        return renders.objects(chart, example, newest_helm())
    except HelmError:
        if example == DEFAULTS:
            return ()
        raise


@WITH_DEFAULTS
def test_no_manifest_rule_is_broken(chart: BundledChart, example: str, renders: Renders) -> None:
    found = check_manifests(
        _objects(chart, example, renders),
        source=f"charts/{chart.name}/examples/{example}.yaml",
        namespace=NAMESPACE,
        pod_security=chart.pod_security,
    )
    assert [f"{finding.id} {finding.location.path}: {finding.message}" for finding in found] == []


@AN_EXAMPLE_OF_EACH
def test_the_longest_release_name_breaks_nothing(chart: BundledChart, example: str, renders: Renders) -> None:
    objects = renders.of_values(chart, chart.values(example), newest_helm(), release=LONGEST_RELEASE)
    found = check_manifests(objects, source=chart.name, namespace=NAMESPACE, pod_security=chart.pod_security)
    assert [f"{finding.id} {finding.location.path}: {finding.message}" for finding in found] == []


@WITH_DEFAULTS
def test_every_image_is_one_of_the_catalog(chart: BundledChart, example: str, renders: Renders) -> None:
    """Or one that its user builds: it then stands in an example, in the registry of a placeholder account."""
    known = {row.image for row in (*CATALOG.containers, *CATALOG.manifests)}
    objects = _objects(chart, example, renders)
    pods = Release(objects, namespace=NAMESPACE).pods()
    used = {str(container.body.get("image")) for pod in pods for container in pod.containers}
    own = {
        image
        for image in used
        if example != DEFAULTS and image.partition(".dkr.ecr.")[0] in CATALOG.placeholder_accounts
    }
    assert used - known - own == set()


@EXAMPLES
def test_what_asks_for_devices_goes_to_a_named_machine(chart: BundledChart, example: str, renders: Renders) -> None:
    """A pod with Neuron devices has a node selector and tolerates the taint of Neuron nodes."""
    lacking = []
    for pod in Release(renders.objects(chart, example, newest_helm()), namespace=NAMESPACE).pods():
        asks = {name for _, limits in expand(pod.spec, "containers.*.resources.limits") for name in limits}
        if "aws.amazon.com/neuron" in asks or pod.spec.get("resourceClaims"):
            selector = pod.spec.get("nodeSelector", {})
            keys = {toleration.get("key") for toleration in pod.spec.get("tolerations", [])}
            if "node.kubernetes.io/instance-type" not in selector or "aws.amazon.com/neuron" not in keys:
                lacking.append(f"{pod.owner.place} {pod.path}")
    assert lacking == []


@pytest.mark.parametrize("chart", sorted({chart for chart, _ in cases()}, key=str), ids=case_id)
def test_only_programs_of_others_may_write_to_their_root_file_system(chart: BundledChart, renders: Renders) -> None:
    writes = {
        str(container.body["name"])
        for example in chart.examples
        for pod in Release(renders.objects(chart, example, newest_helm()), namespace=NAMESPACE).pods()
        for container in pod.containers
        if container.body.get("securityContext", {}).get("readOnlyRootFilesystem") is not True
    }
    assert writes == WRITES_BESIDE_ITS_IMAGE[chart.name]


@pytest.mark.parametrize("chart", sorted({chart for chart, _ in cases()}, key=str), ids=case_id)
def test_every_chart_has_a_helm_test(chart: BundledChart, renders: Renders) -> None:
    hooks = [
        hook
        for example in chart.examples
        for one in Release(renders.objects(chart, example, newest_helm()), namespace=NAMESPACE).objects
        for hook in one.hooks
    ]
    assert "test" in hooks
