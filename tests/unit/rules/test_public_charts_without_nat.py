"""Rule E1005 expects exactly the charts that the plan installs."""

import itertools
from pathlib import Path

import pytest
from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.plan.build import build_plan
from neuron_cluster.rules.network.e1005_public_charts_without_nat import PublicChartsWithoutNat

SWITCHES = ("neuron_device_plugin", "neuron_dra_driver", "neuron_node_problem_detector", "efa_device_plugin")


@pytest.mark.parametrize("base", ["dev-inf2", "train-trn1"])
@pytest.mark.parametrize("values", list(itertools.product(("", "true", "false"), repeat=len(SWITCHES))))
def test_the_rule_speaks_where_the_plan_has_charts(base: str, values: tuple[str, ...], tmp_path: Path) -> None:
    addons = {switch: value for switch, value in zip(SWITCHES, values, strict=True) if value}
    file = tmp_path / "environment.yaml"
    file.write_text(Case(base, {"network.nat": "none", "eks.addons": addons}).text(), encoding="utf-8")
    config, catalog = load_environment(file).config, load_catalog()
    assert config is not None
    eks = build_plan(config, catalog).eks
    assert eks is not None
    messages = [problem.message for problem in PublicChartsWithoutNat().check(config, catalog)]
    assert bool(messages) == bool(eks.charts)
    assert all(chart.chart in messages[0] for chart in eks.charts)
