"""Node groups beyond the fiftieth stand in a further stack, and the first one does not notice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog

pytestmark = pytest.mark.slow

TYPES = ("AWS::EC2::LaunchTemplate", "AWS::EKS::Nodegroup", "AWS::EC2::PlacementGroup")


def of_type(template: Any, name: str) -> list[Any]:
    return [resource for resource in template["Resources"].values() if resource["Type"] == name]


def groups(number: int) -> list[dict[str, Any]]:
    """A system group and others of the widest machine, with a placement group each."""
    system = {"name": "system", "instance_type": "m7i.xlarge", "count": {"min": 2, "desired": 2, "max": 4}}
    wide = [
        {
            "name": f"trn2-{position:03}",
            "instance_type": "trn2.48xlarge",
            "count": {"min": 0, "desired": 0, "max": 1},
            "availability_zone": "use2-az3",
            "capacity": {"kind": "on_demand"},
            "placement": "cluster",
            "root_volume": {"size_gib": 512},
            "pods_per_node": 15,
        }
        for position in range(1, number)
    ]
    return [system, *wide]


@pytest.fixture(scope="module")
def fifty(templates_of: Callable[..., Any]) -> Any:
    return templates_of("train-trn2", {"eks.prefix_delegation": True, "eks.node_groups": groups(50)})


@pytest.fixture(scope="module")
def larger(app_of: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The assembly with one group more."""
    edits = {"eks.prefix_delegation": True, "eks.node_groups": groups(51)}
    return app_of("train-trn2", edits, outdir=tmp_path_factory.mktemp("larger"), assets_copied=False).synth()


@pytest.fixture(scope="module")
def fifty_one(larger: Any) -> Any:
    return {stack.stack_name.removeprefix("train-trn2-"): stack.template for stack in larger.stacks}


def test_fifty_groups_stand_in_one_stack_and_the_next_in_another(fifty: Any, fifty_one: Any) -> None:
    assert [stack_key for stack_key in fifty if stack_key.startswith("nodes")] == ["nodes"]
    assert [stack_key for stack_key in fifty_one if stack_key.startswith("nodes")] == ["nodes", "nodes-2"]
    assert len(of_type(fifty_one["system"], "AWS::EKS::Nodegroup")) == 1
    assert len(of_type(fifty_one["nodes"], "AWS::EKS::Nodegroup")) == 49
    assert len(of_type(fifty_one["nodes-2"], "AWS::EKS::Nodegroup")) == 1


def test_the_first_stack_is_the_same_with_more_groups_and_without(fifty: Any, fifty_one: Any) -> None:
    assert fifty_one["nodes"] == fifty["nodes"]
    assert fifty_one["cluster"] == fifty["cluster"]
    assert fifty_one["network"] == fifty["network"]


def test_each_stack_has_a_role_of_its_own_with_the_same_rights(fifty_one: Any) -> None:
    first, second = (of_type(fifty_one[stack_key], "AWS::IAM::Role") for stack_key in ("nodes", "nodes-2"))
    assert len(first) == len(second) == 1
    assert first[0]["Properties"]["ManagedPolicyArns"] == second[0]["Properties"]["ManagedPolicyArns"]
    assert not fifty_one["nodes"].get("Outputs")


def test_every_stack_of_neuron_nodes_waits_for_the_software(larger: Any) -> None:
    waiting = {
        stack.stack_name for stack in larger.stacks if "train-trn2-software" in {each.id for each in stack.dependencies}
    }
    assert waiting == {"train-trn2-nodes", "train-trn2-nodes-2"}


def test_a_full_stack_of_the_widest_machines_is_half_of_what_cloudformation_takes(fifty: Any) -> None:
    catalog = load_catalog()
    resources = fifty["nodes"]["Resources"]
    assert {resource["Type"] for resource in resources.values()} >= set(TYPES)
    assert len(resources) <= catalog.limits["cloudformation_resources_per_stack"].maximum / 2
    size = len(json.dumps(fifty["nodes"], indent=1))
    assert size <= catalog.limits["cloudformation_template_body"].maximum * 0.7
