"""The one table of stacks: in deploy order, complete, and what `destroy` finds the stacks of every release by."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.plan.node_stacks import GROUPS_PER_STACK, NODE_STACKS
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.plan.stack_table import (
    data_stack_keys,
    in_deploy_order,
    is_protected,
    protectable_stack_keys,
    spec_of_stack,
    stack_keys,
    stack_keys_below_data,
    stack_keys_of_deploy,
    stack_spec,
    stack_specs,
)
from tests.slurm_image import NAME, ROOT, STACK_KEY, checked_without_image

PUBLISHED = (
    "network",
    "storage",
    "images",
    "cluster",
    "system",
    "software",
    "nodes",
    "nodes-2",
    "nodes-3",
    "nodes-4",
    "workstations",
    "observability",
)
"""Keys of the stacks of all releases, in deploy order. One is never removed: `destroy` would leave its stack behind."""


def spec(stack_key: str, *after: str) -> StackSpec:
    return StackSpec(stack_key=stack_key, purpose="", key=stack_key, module="", is_planned=lambda _: True, after=after)


def test_destroy_finds_the_stacks_of_every_release() -> None:
    assert [stack_key for stack_key in stack_keys() if stack_key in PUBLISHED] == list(PUBLISHED)


def test_the_fullest_environment_has_every_stack_in_this_order(plan_of: Callable[..., ClusterPlan]) -> None:
    training = plan_of("train-trn1")
    assert training.kubernetes is not None
    many = training.kubernetes.node_groups * GROUPS_PER_STACK * len(NODE_STACKS)
    eks = replace(
        training.kubernetes, node_groups=many, image_cache=ImageCachePlan(("eks", "image_cache"), "registry", ())
    )
    fullest = replace(training, providers=(eks,), workstations=plan_of("workstation").workstations)
    assert fullest.stacks == PUBLISHED


def test_data_and_what_it_depends_on_are_protected_and_kept() -> None:
    assert data_stack_keys() == ("storage",)
    assert stack_keys_below_data() == ("network",)
    assert protectable_stack_keys() == ("network", "storage", "cluster", "slurm")


def test_a_network_is_protected_where_data_depends_on_it(plan_of: Callable[..., ClusterPlan]) -> None:
    durable = replace(plan_of("train-trn1"), is_durable=True)
    assert durable.storage is not None
    assert [stack_key for stack_key in durable.stacks if is_protected(durable, stack_key)] == [
        "network",
        "storage",
        "cluster",
    ]
    without = replace(durable, storage=None)
    assert [stack_key for stack_key in without.stacks if is_protected(without, stack_key)] == ["cluster"]
    assert not any(is_protected(replace(durable, is_durable=False), stack_key) for stack_key in durable.stacks)


@pytest.mark.parametrize("each", stack_specs(), ids=stack_keys())
def test_every_row_names_a_module_that_builds_the_stack_and_says_what_it_holds(each: StackSpec, cdk: object) -> None:
    assert callable(importlib.import_module(each.module).build)
    assert each.purpose
    assert stack_spec(each.stack_key) is each
    assert spec_of_stack(f"train-nodes-{each.stack_key}") is each


def test_a_stack_waits_only_for_those_that_it_is_after() -> None:
    assert [each.stack_key for each in stack_specs() if not set(each.waits_for) <= set(each.after)] == []
    assert stack_spec("storage").waits_for == ()  # without a file system it needs nothing of the network
    assert [stack_spec(stack_key).waits_for for stack_key in ("software", NODE_STACKS[0])] == [
        ("images", "system"),
        ("software",),
    ]


def test_a_part_that_is_unknown_is_not_found() -> None:
    assert spec_of_stack("somebody-else") is None
    with pytest.raises(LookupError, match="somewhere"):
        stack_spec("somewhere")


def test_a_table_that_no_deploy_could_follow_is_refused() -> None:
    first, second = spec("a"), spec("b", "a")
    assert in_deploy_order((first, second)) == (first, second)
    with pytest.raises(ValueError, match="the stack b is after a"):
        in_deploy_order((second, first))
    with pytest.raises(ValueError, match="twice"):
        in_deploy_order((first, first))


def test_a_stack_with_its_own_command_is_deployed_by_no_other(tmp_path: Path) -> None:
    """`deploy` neither creates nor deletes it; its command deploys it with what it is after; `destroy` finds it."""
    assert STACK_KEY not in stack_keys_of_deploy()
    assert STACK_KEY in stack_keys()
    whole = checked_without_image(tmp_path).require_plan()
    assert STACK_KEY not in whole.stacks
    assert {"network", "slurm", "compute"} <= set(whole.stacks)
    assert checked_without_image(tmp_path, stack_key=STACK_KEY).require_plan().stacks == ("network", STACK_KEY)


def test_a_single_stack_does_not_change_what_is_protected(tmp_path: Path) -> None:
    """The network is protected where storage depends on it, whichever of the stacks a command deploys."""
    text = (ROOT / "environments" / f"{NAME}.yaml").read_text(encoding="utf-8")
    no_storage = (text[text.index("storage:\n") : text.index("slurm:\n")], "")
    for stack_key in ("", STACK_KEY):
        plan = checked_without_image(tmp_path, stack_key=stack_key).require_plan()
        assert is_protected(plan, "network")
        assert not is_protected(
            checked_without_image(tmp_path, no_storage, stack_key=stack_key).require_plan(), "network"
        )
