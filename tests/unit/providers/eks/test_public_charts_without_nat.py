"""E1005 and E1016 together name everything public that a network without NAT would pull."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.needed_software import Origin, needed_charts, needed_images
from neuron_cluster.providers.eks.rules.network.e1005_public_charts_without_nat import PublicChartsWithoutNat
from neuron_cluster.providers.eks.rules.network.e1016_public_images_without_nat import PublicImagesWithoutNat
from neuron_cluster.rules.base import RuleContext

CATALOG = load_catalog()
SWITCHES = (
    *("neuron_device_plugin", "neuron_dra_driver", "efa_device_plugin", "kube_prometheus_stack", "kueue", "jobset"),
    *("leader_worker_set", "kubeflow_trainer", "cert_manager", "aws_load_balancer_controller", "keda"),
)


def draft(addons: dict[str, Any], more: dict[str, Any], folder: Path) -> RuleContext:
    """The plan of an environment that these rules refuse, as they read it."""
    file = folder / "environment.yaml"
    file.write_text(Case("train-trn1", {"network.nat": "none", "eks.addons": addons, **more}).text(), encoding="utf-8")
    checked = check_environment(file)
    assert checked.draft is not None, [f"{f.id} {f.message}" for f in checked.findings if f.id.startswith("E")]
    return RuleContext(environment=checked.require_resolved(), catalog=CATALOG, given_plan=checked.draft)


@pytest.mark.parametrize("cache", ["true", "false"])
@pytest.mark.parametrize("switch", SWITCHES)
def test_every_public_chart_and_image_is_named_or_in_the_cache(switch: str, cache: str, tmp_path: Path) -> None:
    off = dict.fromkeys(("neuron_device_plugin", "efa_device_plugin"), "false")
    context = draft({**off, switch: "true"}, {"eks.image_cache": cache}, tmp_path)
    charts = [chart for chart in needed_charts(context.plan, CATALOG) if chart.mirror is None and chart.is_public]
    said = [problem.message for problem in PublicChartsWithoutNat().check(context)]
    assert bool(said) == bool(charts)
    assert all(chart.chart in said[0] for chart in charts)
    absent = {chart.component for chart in charts}
    images = [i for i in needed_images(context.plan, CATALOG) if i.origin is Origin.PUBLIC and i.mirror is None]
    named = [*PublicImagesWithoutNat().check(context)]
    assert len(named) == len([image for image in images if not absent.issuperset(image.needed_by)])


def test_a_network_with_nat_is_none_of_their_business(tmp_path: Path) -> None:
    context = draft({"keda": "true"}, {"network.nat": "single"}, tmp_path)
    assert [*PublicChartsWithoutNat().check(context), *PublicImagesWithoutNat().check(context)] == []
