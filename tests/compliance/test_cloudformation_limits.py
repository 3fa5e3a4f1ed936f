"""The largest environment that the toolkit allows stays inside CloudFormation's limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import has_error
from neuron_cluster.template_rules.run import check_templates

ZONES = ["use1-az4", "use1-az1", "use1-az2", "use1-az3", "use1-az5", "use1-az6"]
ADMINS = [f"arn:aws:iam::111122223333:role/admin-{number}" for number in range(50)]


def _group(number: int) -> dict[str, Any]:
    return {
        "name": f"group-{number}",
        "instance_type": "trn1n.32xlarge",
        "availability_zone": "use1-az6",
        "count": {"min": 0, "desired": 0, "max": 1},
        "taints": [{"key": f"taint-{taint}", "effect": "no_schedule"} for taint in range(5)],
        "labels": {f"label-{label}": "x" * 60 for label in range(10)},
        "root_volume": {"size_gib": 512},
    }


@pytest.fixture(scope="module")
def largest(templates_of: Callable[..., Any]) -> Any:
    """Six zones, every endpoint, and as many node groups as a cluster has."""
    catalog = load_catalog()
    maximum = catalog.limits["managed_node_groups_per_cluster"].maximum
    assert maximum is not None
    system = {"name": "system", "instance_type": "m7i.large", "count": {"min": 2, "desired": 2, "max": 3}}
    edits = {
        "region": "us-east-1",
        "network": {
            "cidr": "10.0.0.0/16",
            "availability_zones": ZONES,
            "nat": "per_zone",
            "endpoints": [service.name for service in catalog.endpoint_services],
        },
        "storage.lustre.availability_zone": "use1-az6",
        "storage.checkpoints": None,
        "tags": {f"tag-{number}": "x" * 200 for number in range(20)},
        "eks.access": {"admins": ADMINS, "viewers": [admin.replace("admin", "viewer") for admin in ADMINS]},
        "eks.node_groups": [system, *(_group(number) for number in range(maximum - 1))],
    }
    return templates_of("train-trn1", edits)


@pytest.mark.slow
@pytest.mark.parametrize(("section", "limit"), [
    ("Resources", "cloudformation_resources_per_stack"),
    ("Outputs", "cloudformation_outputs_per_stack"),
])  # fmt: skip
def test_the_largest_environment_has_room_to_spare(largest: Any, section: str, limit: str) -> None:
    sizes = {part: len(template.get(section, {})) for part, template in largest.items()}
    assert max(sizes.values()) <= (load_catalog().limits[limit].maximum or 0), sizes


@pytest.mark.slow
def test_the_largest_template_can_be_uploaded(largest: Any) -> None:
    sizes = {part: len(json.dumps(template, indent=1)) for part, template in largest.items()}
    assert max(sizes.values()) <= (load_catalog().limits["cloudformation_template_body"].maximum or 0), sizes


@pytest.mark.slow
def test_the_largest_environment_breaks_no_rule(largest: Any) -> None:
    assert not has_error(check_templates(largest, load_catalog(), region="us-east-1"))
