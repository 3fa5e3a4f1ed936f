"""Every instance type with every EFA layout, way to buy and LNC: refused with a reason, or wired as planned.

The product is generated from the model and the catalog. What the catalog gives reason to refuse has a finding for
each reason and no other; everything else is planned as the catalog says and becomes a launch template, and one type of
each family and way to buy a node group with nodes. These are synthesized once, judged, linted, deployed on the local
AWS and read back: of launch templates and node groups those that stand for the others (one node group for each family
and for each way to buy), and in the exhaustive tests each one.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from combination import Combination
from environment_text import KUBERNETES_VERSION, WrittenFile, zone_of
from local_account import LocalAccount
from machine_summary import summary_of_plan, summary_of_rows
from read_back import node_group, template_data, user_data_parts
from representatives import LAUNCH_TEMPLATE, values_of

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates

pytestmark = pytest.mark.slow

Templates = Mapping[str, Mapping[str, Mapping[str, Any]]]
ANNOUNCED_ONLY = "W3033"
TYPE_NOT_IN_REGION = "E3628"


def test_what_the_catalog_refuses_has_a_finding_for_each_reason(refused: Sequence[WrittenFile]) -> None:
    """Each at the combination's own node group; and there is no other error."""
    wrong = {
        str(each): (found, each.refusals())
        for file in refused
        for each in file.combinations
        if (found := file.findings_of(each, "E")) != each.refusals()
    }
    assert wrong == {}
    assert [found for file in refused for found in file.findings_elsewhere()] == []


def test_every_other_combination_is_planned(allowed: Sequence[WrittenFile]) -> None:
    assert [found for file in allowed for found in file.checked.findings if found.id.startswith("E")] == []
    assert all(file.checked.plan is not None for file in allowed)


def test_a_type_that_is_announced_is_planned_and_its_group_says_that_nothing_starts(
    allowed: Sequence[WrittenFile],
) -> None:
    said = {str(each): ANNOUNCED_ONLY in file.findings_of(each, "W") for file in allowed for each in file.combinations}
    assert said == {str(each): not each.row.launchable for file in allowed for each in file.combinations}
    assert len(set(said.values())) == 2


def test_the_plan_is_what_the_catalog_says(regions: Mapping[str, Any]) -> None:
    """Interfaces, LNC, disks, market and place of each combination, from the rows alone."""
    for region in regions.values():
        for each in (*region.on_paper, *region.with_nodes):
            assert summary_of_plan(each.group) == summary_of_rows(each.combination), str(each.combination)
            assert each.group.zone_ids == (zone_of(each.combination),)


def test_no_rule_is_broken(templates: Templates) -> None:
    broken = {region: check_templates(stacks, load_catalog(), region=region) for region, stacks in templates.items()}
    assert broken == {region: [] for region in templates}


def test_cfn_lint_finds_nothing_but_types_that_its_table_lacks(
    all_of_them: bool, templates: Templates, lint: Callable[..., list[Any]], unknown_to_lint: Callable[[str], set[str]]
) -> None:
    """And it finds those wherever a template has them: the catalog's rows say of which it is known.

    It looks at each value by itself, so a launch template whose values were all in others is left out, but
    for the exhaustive run.
    """
    seen: set[str] = set()
    for region, stacks in templates.items():
        for name, whole in stacks.items():
            has_nodes = name.endswith("-nodes")  # which name their launch templates
            resources = whole["Resources"]
            chosen = resources if all_of_them or has_nodes else dict(not_yet_seen(resources, seen))
            template = {**whole, "Resources": chosen}
            matches = lint(template, region)
            lacking = Counter(str(match.path[1]) for match in matches if match.rule == TYPE_NOT_IN_REGION)
            assert lacking == Counter(
                logical_id
                for logical_id, resource in template["Resources"].items()
                if resource["Type"] == "AWS::EC2::LaunchTemplate"
                and resource["Properties"]["LaunchTemplateData"]["InstanceType"] in unknown_to_lint(region)
            )
            others = [match for match in matches if match.rule != TYPE_NOT_IN_REGION]
            assert [f"{name}: {match.rule} {match.path} {match.message}" for match in others] == []


def not_yet_seen(resources: Mapping[str, Any], seen: set[str]) -> Iterator[tuple[str, Any]]:
    """All but launch templates each of whose values others had."""
    for name, resource in resources.items():
        values = values_of(resource) if resource["Type"] == LAUNCH_TEMPLATE else set()
        if not values or not values <= seen:
            yield name, resource
        seen |= values


def test_launch_templates_are_read_back_as_planned(
    regions: Mapping[str, Any],
    on_paper: Mapping[str, Sequence[Any]],
    deployed_nodes: Mapping[str, Sequence[Any]],
    deployed: Mapping[str, LocalAccount],
) -> None:
    """The whole of every template's data: what EC2 tells is what the plan says, and nothing else."""
    for name, account in deployed.items():
        wanted = wanted_templates(regions[name].plan.name, on_paper[name], deployed_nodes[name], account)
        reported = dict(reported_templates(account))
        assert {key for key in wanted if reported.get(key) != wanted[key]} == set()
        assert set(reported) == set(wanted)


def wanted_templates(
    environment: str, on_paper: Sequence[Any], with_nodes: Sequence[Any], account: LocalAccount
) -> dict[str, Any]:
    """Returns the templates by the name in the tags. A placement group is identified by its strategy."""
    wanted = {}
    for is_node_group, planned in ((False, on_paper), (True, with_nodes)):
        for each in planned:
            name = f"{environment}/{each.group.name}" if is_node_group else each.group.name
            identity = {"neuron-cluster:environment": environment, "neuron-cluster:node-group": each.group.name}
            tags = {"Name": name, **(identity if is_node_group else {})}
            data = template_data(each.group, account.security_group_ids, tags)
            strategy = each.group.machine.placement_strategy
            wanted[name] = data | ({"Placement": strategy} if strategy is not None else {})
    return wanted


def reported_templates(account: LocalAccount) -> list[tuple[str, Any]]:
    strategies = account.placement_groups()
    reported = []
    for data in map(dict, account.launch_templates.values()):
        if "Placement" in data:  # each template has a group of its own, so none is met twice
            assert set(data["Placement"]) == {"GroupName"}
            data["Placement"] = strategies.pop(data["Placement"]["GroupName"])
        if "UserData" in data:
            data["UserData"] = user_data_parts(data["UserData"])
        reported.append((name_in_tags(data), data))
    assert strategies == {}
    assert len(dict(reported)) == len(reported)
    return reported


def name_in_tags(data: Mapping[str, Any]) -> str:
    return str(data["TagSpecifications"][0]["Tags"][0]["Value"])


def test_node_groups_are_read_back_as_planned(
    regions: Mapping[str, Any], deployed_nodes: Mapping[str, Sequence[Any]], deployed: Mapping[str, LocalAccount]
) -> None:
    """Their nodes run, in the zone and in the reservation or block that the file names."""
    for name, account in deployed.items():
        reported = account.node_groups()
        assert set(reported) == {each.combination.name for each in deployed_nodes[name]}
        for each in deployed_nodes[name]:
            row = reported[each.combination.name]
            wanted = node_group(each.group, KUBERNETES_VERSION)
            assert {key: row.get(key) for key in wanted} == wanted, str(each.combination)
            assert "instanceTypes" not in row
            template = account.launch_templates[row["launchTemplate"]["id"]]
            assert name_in_tags(template) == f"{regions[name].plan.name}/{each.group.name}"
            assert account.zone_ids(row["subnets"]) == list(each.group.zone_ids)
        taken = {bought for combination, bought in account.reservations.items() if combination in reported}
        assert {bought for bought, places in account.free_places().items() if places == 0} == taken


def test_the_counts(
    combinations: Sequence[Combination],
    refused: Sequence[WrittenFile],
    regions: Mapping[str, Any],
    on_paper: Mapping[str, Sequence[Any]],
    deployed: Mapping[str, LocalAccount],
    all_of_them: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing fell by the way: each combination was refused, or synthesized and, by itself or another, read back."""
    findings = Counter(found for file in refused for each in file.combinations for found in file.findings_of(each, "E"))
    refusals = sum(len(file.combinations) for file in refused)
    templates = sum(len(account.launch_templates) for account in deployed.values())
    groups = sum(len(account.node_groups()) for account in deployed.values())
    allowed = [each.combination for region in regions.values() for each in region.on_paper]
    alone = sum(map(len, on_paper.values()))
    assert refusals + len(allowed) == len(combinations)
    assert templates == alone + groups
    assert alone == len(allowed) if all_of_them else 20 < alone < len(allowed)
    announced = sum(not each.row.launchable for each in allowed)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(combinations)} combinations of {len({each.row for each in combinations})} types: "
            f"{len(allowed)} allowed ({announced} of types that are only announced), {refusals} refused\n"
            f"refused by: {', '.join(f'{rule} {count}' for rule, count in sorted(findings.items()))}\n"
            f"read back: {templates} launch templates, {groups} node groups with nodes\n"
        )
