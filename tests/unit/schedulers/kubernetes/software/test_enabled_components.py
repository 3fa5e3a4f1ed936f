"""Components have one name in the model and in the registry; the defaults fit the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.providers.eks.config.addons import Addons
from neuron_cluster.schedulers.kubernetes import components as eks_components
from neuron_cluster.schedulers.kubernetes.software.components.registry import COMPONENTS
from neuron_cluster.schedulers.kubernetes.software.defaults_context import DefaultsContext
from neuron_cluster.schedulers.kubernetes.software.enabled_components import enabled_components

CATALOG = load_catalog()
DEPENDING = [name for name, spec in COMPONENTS.items() if spec.default_when is not None]
ROOT = Path(__file__).parents[5]
NOTHING: dict[str, Any] = {
    "has_neuron": False,
    "has_efa": False,
    "has_queues": False,
    "has_lustre": False,
    "has_efs": False,
    "claims_s3_files": False,
    "repairs": False,
    "chart_values": {},
    "metrics": None,
}


def enabled(flags: dict[str, str] | None = None, **context: Any) -> set[str]:
    addons = Addons.model_validate(flags or {})
    return set(enabled_components(addons.flags, DefaultsContext(**{**NOTHING, **context}), CATALOG))


def test_every_flag_has_a_component_and_every_component_a_flag_or_groups() -> None:
    of_groups = {name for name, spec in COMPONENTS.items() if spec.needed_when is not None}
    assert set(COMPONENTS) - of_groups == set(Addons.model_fields)
    assert all(set(spec.after) <= set(COMPONENTS) for spec in COMPONENTS.values())


def test_flags_without_a_plain_default_have_one_that_depends_and_no_others_do() -> None:
    open_ones = {name for name, field in Addons.model_fields.items() if field.default is None}
    assert open_ones == set(DEPENDING)


def test_a_cluster_of_nothing_gets_nothing() -> None:
    assert enabled() == set()


@pytest.mark.parametrize(
    ("context", "brought"),
    [
        ({"has_neuron": True}, {"neuron_device_plugin", "neuron_node_problem_detector"}),
        ({"has_efa": True}, {"efa_device_plugin"}),
        ({"has_queues": True}, {"kueue"}),
        ({"has_lustre": True}, {"fsx_csi_driver"}),
        ({"has_efs": True}, {"efs_csi_driver"}),
        ({"claims_s3_files": True}, {"efs_csi_driver"}),
        ({"repairs": True}, {"node_monitoring_agent"}),
        ({"metrics": "cloudwatch"}, {"cloudwatch_observability"}),
        ({"metrics": "prometheus"}, {"kube_prometheus_stack", "ebs_csi_driver"}),
        ({"metrics": "prometheus", "installed_otherwise": frozenset({"kube_prometheus_stack"})}, set()),
        ({"chart_values": {"lws": {"enableCertManager": True}}}, {"cert_manager"}),
        ({"chart_values": {"lws": {"enableCertManager": False}}}, set()),
    ],
)
def test_a_default_follows_from_the_rest_of_the_file(context: dict[str, Any], brought: set[str]) -> None:
    assert enabled(**context) == brought


@pytest.mark.parametrize("flag", sorted(DEPENDING))
def test_what_the_file_says_is_never_overruled(flag: str) -> None:
    everything = {name: True for name, value in NOTHING.items() if value is False}
    everything["metrics"] = "cloudwatch" if flag == "cloudwatch_observability" else "prometheus"
    assert flag not in enabled({flag: "false"}, **everything)
    assert flag in enabled({flag: "true"})


def test_rules_and_plan_find_the_same_components(plan_of: Callable[..., Any]) -> None:
    """Rules look at the file, the plan at what became of it; what the plan alone decides has no key."""
    for file in sorted((ROOT / "environments").glob("*.yaml")):
        config = load_environment(file).config
        assert config is not None
        plan = plan_of(file.stem)
        charts = plan.kubernetes.charts if plan.kubernetes is not None else ()
        brought = {chart.component for chart in charts if COMPONENTS[chart.component].needed_when is None}
        assert brought <= set(eks_components.enabled_components(resolve_environment(config, CATALOG), CATALOG)), (
            file.stem
        )
