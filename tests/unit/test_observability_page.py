"""docs/observability.md: its names of the chart are those of the catalog, and its example is taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.catalog.catalog import load_catalog

PAGE = (Path(__file__).parents[2] / "docs" / "observability.md").read_text(encoding="utf-8")
CHART = "kube-prometheus-stack"


def test_grafana_is_opened_by_the_names_of_the_catalogs_chart() -> None:
    row = load_catalog().charts.get(CHART)
    assert row is not None
    assert f"kubectl -n {row.namespace} port-forward svc/{row.release}-grafana 3000:80" in PAGE
    assert f"kubectl -n {row.namespace} get secret {row.release}-grafana" in PAGE


def test_the_example_gives_prometheus_a_larger_volume_of_the_same_class(plan_of: Callable[..., Any]) -> None:
    (example,) = [
        read for read in map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)) if "eks" in read
    ]
    wish = {f"eks.{key}": value for key, value in example["eks"].items()}
    plan = plan_of("train-trn1", {"observability": {"metrics": "prometheus"}, **wish})
    (chart,) = [chart for chart in plan.kubernetes.charts if chart.component == "kube_prometheus_stack"]
    claim = value_at(chart.values, "prometheus.prometheusSpec.storageSpec.volumeClaimTemplate.spec")
    assert claim["resources"]["requests"] == {"storage": "100Gi"}
    assert claim["storageClassName"] in PAGE
    assert "aws-ebs-csi-driver" in {addon.name for addon in plan.kubernetes.addons}
