"""Settings of the managed add-ons: prefixes for pods, and DNS that grows with the cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

PlanOf = Callable[..., Any]


def configuration(plan: Any, name: str) -> Mapping[str, Any]:
    (found,) = [addon.configuration for addon in plan.kubernetes.addons if addon.name == name]
    return dict(found)


def test_network_policies_are_enforced_and_nothing_else_is_configured_by_default(plan_of: PlanOf) -> None:
    """The add-on's schema takes the switch as a text."""
    for environment in ("train-trn1", "train-trn2", "dev-inf2"):
        configured = {
            addon.name: addon.configuration for addon in plan_of(environment).kubernetes.addons if addon.configuration
        }
        assert configured == {"vpc-cni": {"enableNetworkPolicy": "true"}}


def test_prefix_delegation_is_a_setting_of_the_vpc_cni_in_texts(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", {"eks.prefix_delegation": True})
    assert configuration(plan, "vpc-cni") == {
        "enableNetworkPolicy": "true",
        "env": {"ENABLE_PREFIX_DELEGATION": "true", "WARM_IP_TARGET": "1"},
    }


def test_prefix_delegation_changes_the_addon_and_nothing_else(templates_of: Callable[..., Any]) -> None:
    before, after = templates_of("train-trn1"), templates_of("train-trn1", {"eks.prefix_delegation": True})
    assert [part for part in before if before[part] != after[part]] == ["cluster"]
    old, new = before["cluster"]["Resources"], after["cluster"]["Resources"]
    (changed,) = [name for name in old if old[name] != new[name]]
    values = new[changed]["Properties"].pop("ConfigurationValues")
    assert old[changed]["Properties"].pop("ConfigurationValues") == '{"enableNetworkPolicy": "true"}'
    assert old[changed] == new[changed]
    assert json.loads(values)["env"]["ENABLE_PREFIX_DELEGATION"] == "true"


@pytest.mark.parametrize(("maximum", "grows"), [(28, False), (29, True)])
def test_dns_grows_where_more_than_32_nodes_may_run(plan_of: PlanOf, maximum: int, grows: bool) -> None:
    """The nodes are counted in addition to the four of the system group."""
    edits = {"eks.node_groups.1.count.max": maximum, "eks.node_groups.1.pods_per_node": 15}
    found = configuration(plan_of("train-trn1", edits), "coredns")
    assert found == ({"autoScaling": {"enabled": True}} if grows else {})
