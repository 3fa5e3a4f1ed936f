"""Switches have one name in the model, in the table of defaults and among the components; the defaults fit the file."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.eks import Addons
from neuron_cluster.config.loader import load_environment
from neuron_cluster.orchestrators.eks.components import enabled_components
from neuron_cluster.orchestrators.registry import resolve_environment
from neuron_cluster.software import components
from neuron_cluster.software.switched_on import DEFAULTS, Surroundings, switched_on

CATALOG = load_catalog()
ROOT = Path(__file__).parents[3]
NOTHING: dict[str, Any] = {
    "has_neuron": False,
    "has_efa": False,
    "has_queues": False,
    "has_lustre": False,
    "repairs": False,
    "chart_values": {},
    "metrics": None,
}


def on(switches: dict[str, str] | None = None, **around: Any) -> set[str]:
    return set(switched_on(Addons.model_validate(switches or {}), Surroundings(**{**NOTHING, **around}), CATALOG))


def test_every_switch_has_a_component_and_every_component_a_switch() -> None:
    files = {module.name for module in pkgutil.iter_modules(components.__path__)}
    assert files == set(Addons.model_fields)


def test_switches_without_a_plain_default_have_one_that_depends_and_no_others_do() -> None:
    open_ones = {name for name, field in Addons.model_fields.items() if field.default is None}
    assert open_ones == set(DEFAULTS)


def test_a_cluster_of_nothing_gets_nothing() -> None:
    assert on() == set()


@pytest.mark.parametrize(
    ("around", "brought"),
    [
        ({"has_neuron": True}, {"neuron_device_plugin", "neuron_node_problem_detector"}),
        ({"has_efa": True}, {"efa_device_plugin"}),
        ({"has_queues": True}, {"kueue"}),
        ({"has_lustre": True}, {"fsx_csi_driver"}),
        ({"repairs": True}, {"node_monitoring_agent"}),
        ({"metrics": "cloudwatch"}, {"cloudwatch_observability"}),
        ({"metrics": "prometheus"}, {"kube_prometheus_stack"}),
        ({"chart_values": {"lws": {"enableCertManager": True}}}, {"cert_manager"}),
        ({"chart_values": {"lws": {"enableCertManager": False}}}, set()),
    ],
)
def test_a_default_follows_from_the_rest_of_the_file(around: dict[str, Any], brought: set[str]) -> None:
    assert on(**around) == brought


@pytest.mark.parametrize("switch", sorted(DEFAULTS))
def test_what_the_file_says_is_never_overruled(switch: str) -> None:
    everything = {name: True for name, value in NOTHING.items() if value is False}
    everything["metrics"] = "cloudwatch" if switch == "cloudwatch_observability" else "prometheus"
    assert switch not in on({switch: "false"}, **everything)
    assert switch in on({switch: "true"})


def test_rules_and_plan_find_the_same_switches(plan_of: Callable[..., Any]) -> None:
    """Rules look at the file, the plan at what became of it."""
    for file in sorted((ROOT / "environments").glob("*.yaml")):
        config = load_environment(file).config
        assert config is not None
        plan = plan_of(file.stem)
        brought = {chart.component for chart in plan.eks.charts} if plan.eks is not None else set()
        assert brought <= set(enabled_components(resolve_environment(config, CATALOG), CATALOG)), file.stem
