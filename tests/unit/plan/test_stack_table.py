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
    data_parts,
    in_deploy_order,
    is_protected,
    parts_below_data,
    parts_of_deploy,
    protectable_parts,
    spec_of_stack,
    stack_parts,
    stack_spec,
    stack_specs,
)
from tests.slurm_image import NAME, PART, ROOT, checked_without_image

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
"""Parts of all releases, in deploy order. A part is never removed: `destroy` would leave its stack behind."""


def spec(part: str, *after: str) -> StackSpec:
    return StackSpec(part=part, purpose="", key=part, module="", is_planned=lambda _: True, after=after)


def test_destroy_finds_the_stacks_of_every_release() -> None:
    assert [part for part in stack_parts() if part in PUBLISHED] == list(PUBLISHED)


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
    assert data_parts() == ("storage",)
    assert parts_below_data() == ("network",)
    assert protectable_parts() == ("network", "storage", "cluster", "slurm")


def test_a_network_is_protected_where_data_depends_on_it(plan_of: Callable[..., ClusterPlan]) -> None:
    durable = replace(plan_of("train-trn1"), is_durable=True)
    assert durable.storage is not None
    assert [part for part in durable.stacks if is_protected(durable, part)] == ["network", "storage", "cluster"]
    without = replace(durable, storage=None)
    assert [part for part in without.stacks if is_protected(without, part)] == ["cluster"]
    assert not any(is_protected(replace(durable, is_durable=False), part) for part in durable.stacks)


@pytest.mark.parametrize("each", stack_specs(), ids=stack_parts())
def test_every_row_names_a_module_that_builds_the_stack_and_says_what_it_holds(each: StackSpec, cdk: object) -> None:
    assert callable(importlib.import_module(each.module).build)
    assert each.purpose
    assert stack_spec(each.part) is each
    assert spec_of_stack(f"train-nodes-{each.part}") is each


def test_a_stack_waits_only_for_those_that_it_is_after() -> None:
    assert [each.part for each in stack_specs() if not set(each.waits_for) <= set(each.after)] == []
    assert stack_spec("storage").waits_for == ()  # without a file system it needs nothing of the network
    assert [stack_spec(part).waits_for for part in ("software", NODE_STACKS[0])] == [
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
    assert PART not in parts_of_deploy()
    assert PART in stack_parts()
    whole = checked_without_image(tmp_path).require_plan()
    assert PART not in whole.stacks
    assert {"network", "slurm", "compute"} <= set(whole.stacks)
    assert checked_without_image(tmp_path, part=PART).require_plan().stacks == ("network", PART)


def test_a_part_does_not_change_what_is_protected(tmp_path: Path) -> None:
    """The network is protected where storage depends on it, whichever of the stacks a command deploys."""
    text = (ROOT / "environments" / f"{NAME}.yaml").read_text(encoding="utf-8")
    no_storage = (text[text.index("storage:\n") : text.index("slurm:\n")], "")
    for part in ("", PART):
        plan = checked_without_image(tmp_path, part=part).require_plan()
        assert is_protected(plan, "network")
        assert not is_protected(checked_without_image(tmp_path, no_storage, part=part).require_plan(), "network")
