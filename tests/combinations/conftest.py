"""All combinations: written as files, checked, synthesized and deployed, each step once for the tests of a module.

A process has one local AWS at a time, so nothing that holds it outlives the module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from combination import Combination, all_combinations
from combination_stacks import synthesized
from environment_text import WrittenFile, region_of, regions_of_types, written_files
from local_account import LocalAccount
from machine_summary import summary_of_plan
from representatives import launch_templates, name_of, representative

from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan


@dataclass(frozen=True)
class Planned:
    """A combination and the node group that its file became."""

    combination: Combination
    group: NodeGroupPlan


@dataclass(frozen=True)
class Region:
    """Resources of one Region: only launch templates of ``on_paper``, node groups of ``with_nodes``."""

    plan: ClusterPlan
    on_paper: Sequence[Planned]
    with_nodes: Sequence[Planned]


@pytest.fixture(scope="session")
def combinations() -> Sequence[Combination]:
    return list(all_combinations())


@pytest.fixture(scope="session")
def refused(combinations: Sequence[Combination], tmp_path_factory: pytest.TempPathFactory) -> Sequence[WrittenFile]:
    """Files of the combinations that the catalog gives reason to refuse."""
    folder = tmp_path_factory.mktemp("refused")
    return list(written_files([each for each in combinations if each.refusals()], folder))


@pytest.fixture(scope="session")
def allowed(combinations: Sequence[Combination], tmp_path_factory: pytest.TempPathFactory) -> Sequence[WrittenFile]:
    """Files of all others."""
    folder = tmp_path_factory.mktemp("allowed")
    return list(written_files([each for each in combinations if not each.refusals()], folder))


@pytest.fixture(
    scope="module",
    params=[pytest.param(False, id="representatives"), pytest.param(True, id="all", marks=pytest.mark.exhaustive)],
)
def all_of_them(request: pytest.FixtureRequest) -> bool:
    """Whether every launch template is linted and deployed, or those that stand for the others."""
    return bool(request.param)


@pytest.fixture(scope="module")
def accounts(all_of_them: bool) -> Iterator[Mapping[str, LocalAccount]]:
    """The account on a local AWS of its own, in each Region that is needed."""
    with product_local_aws() as aws:
        yield {region: LocalAccount(aws, region) for region in sorted(set(regions_of_types().values()))}


@pytest.fixture(scope="module")
def with_nodes(
    combinations: Sequence[Combination],
    accounts: Mapping[str, LocalAccount],
    tmp_path_factory: pytest.TempPathFactory,
) -> Sequence[WrittenFile]:
    """Files with nodes, one type for each family and way to buy, that name capacity which the account has."""
    chosen: dict[Any, Combination] = {}
    for each in combinations:
        if each.row.launchable and not each.refusals():
            chosen.setdefault((each.family, each.way), each)
    bought = {each.name: accounts[region_of(each)].buy(each) for each in chosen.values()}
    folder = tmp_path_factory.mktemp("with-nodes")
    return list(written_files(chosen.values(), folder, lambda each: bought[each.name], nodes=True))


@pytest.fixture(scope="module")
def regions(allowed: Sequence[WrittenFile], with_nodes: Sequence[WrittenFile]) -> Mapping[str, Region]:
    """Returns the plans of both kinds of files, by Region."""
    found: dict[str, tuple[list[Planned], list[Planned]]] = {}
    plans: dict[str, ClusterPlan] = {}
    for position, files in enumerate((allowed, with_nodes)):
        for file in files:
            plan = file.checked.require_plan()
            plans.setdefault(plan.region, plan)
            found.setdefault(plan.region, ([], []))[position].extend(planned_in(file))
    return {region: Region(plans[region], *found[region]) for region in found}


def planned_in(file: WrittenFile) -> list[Planned]:
    """The combinations of a file that has a plan; its first group runs the system's pods."""
    eks = file.checked.require_plan().kubernetes
    assert eks is not None
    _system, *groups = eks.node_groups
    return [Planned(combination, group) for combination, group in zip(file.combinations, groups, strict=True)]


def brings_something(planned: Planned, seen: set[str]) -> bool:
    """Whether its plan has what no earlier one had: another type, way to buy, interface, …"""
    values = {f"{key}: {value}" for key, value in summary_of_plan(planned.group).items()}
    brings = not values <= seen
    seen |= values
    return brings


@pytest.fixture(scope="module")
def templates(
    cdk: Any, regions: Mapping[str, Region], all_of_them: bool, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Templates by Region and stack name, in the order of deployment, of one synthesis."""
    seen: set[str] = set()
    groups = {
        name: (
            region.plan,
            [each.group for each in region.on_paper if all_of_them or brings_something(each, seen)],
            [each.group for each in region.with_nodes],
        )
        for name, region in regions.items()
    }
    made = synthesized(groups, tmp_path_factory.mktemp("combinations") / "assembly")
    return {
        name: {stack: made[stack] for stack in made if stack.startswith(f"{region.plan.name}-")}
        for name, region in regions.items()
    }


@pytest.fixture(scope="module")
def deployed_nodes(regions: Mapping[str, Region], all_of_them: bool) -> Mapping[str, Sequence[Planned]]:
    """Returns the deployed node groups by Region: all, or one for each family and purchase option."""
    seen: set[Any] = set()
    found: dict[str, Sequence[Planned]] = {}
    for name, region in regions.items():
        found[name] = [each for each in region.with_nodes if is_first(each.combination, seen) or all_of_them]
    return found


def is_first(combination: Combination, seen: set[Any]) -> bool:
    """Whether it is the first of its family, or the first that is bought in its way."""
    values = {combination.family, combination.way}
    is_new = not values <= seen
    seen |= values
    return is_new


@pytest.fixture(scope="module")
def deployed_templates(
    templates: Mapping[str, Mapping[str, Mapping[str, Any]]],
    deployed_nodes: Mapping[str, Sequence[Planned]],
    all_of_them: bool,
) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Returns the deployed templates: all, or launch templates and node groups that represent the others."""
    names = {each.combination.name for nodes in deployed_nodes.values() for each in nodes}
    return templates if all_of_them else representative(templates, names)


@pytest.fixture(scope="module")
def deployed(
    deployed_templates: Mapping[str, Mapping[str, Mapping[str, Any]]], accounts: Mapping[str, LocalAccount]
) -> Mapping[str, LocalAccount]:
    """The accounts after all stacks were created, and between network and node groups the cluster."""
    for region, stacks in deployed_templates.items():
        for name, template in stacks.items():
            if template["Resources"]:
                accounts[region].deploy(name, template)
            if name.endswith("-network"):
                accounts[region].make_cluster(name)
    return accounts


@pytest.fixture(scope="module")
def on_paper(
    deployed_templates: Mapping[str, Mapping[str, Mapping[str, Any]]], regions: Mapping[str, Region]
) -> Mapping[str, Sequence[Planned]]:
    """Returns the plans that were deployed only as a launch template, by Region."""
    named = {
        region: {name_of(each) for stack in stacks.values() for each in launch_templates(stack["Resources"]).values()}
        for region, stacks in deployed_templates.items()
    }
    return {
        name: [each for each in region.on_paper if each.group.name in named[name]] for name, region in regions.items()
    }
