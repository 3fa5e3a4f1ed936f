"""cfn-lint over every template of the shipped environments, with the environment's Region."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog

from .conftest import CASES, STANDING, also

DRA_DRIVER = {"eks.addons": {"neuron_dra_driver": True}}

TYPE_NOT_IN_REGION = "E3628"
"""Ignored for an instance type whose catalog row says that the linter's table lacks it in the Region."""

REDUNDANT_DEPENDENCY = "W3005"
"""Ignored on Lambda functions: CDK's own kubectl functions name their role in DependsOn in addition to Role."""

pytestmark = pytest.mark.slow


def _value_at(match: Any, template: dict[str, Any]) -> Any:
    """Returns the value at the place of a match."""
    value: Any = template
    for step in match.path:
        value = value[step]
    return value


def _instance_types(template: dict[str, Any]) -> set[str]:
    templates = [r for r in template["Resources"].values() if r["Type"] == "AWS::EC2::LaunchTemplate"]
    return {resource["Properties"]["LaunchTemplateData"]["InstanceType"] for resource in templates}


def _is_in_function(match: Any, template: dict[str, Any]) -> bool:
    section, logical_id, *_ = match.path
    return bool(section == "Resources" and template[section][logical_id]["Type"] == "AWS::Lambda::Function")


@pytest.mark.parametrize("case", [*CASES, also("train-trn1", DRA_DRIVER, "dra-driver")])
def test_templates_pass_cfn_lint(
    case: tuple[str, dict[str, Any]],
    templates_of: Callable[..., Any],
    plan_of: Callable[..., Any],
    lint: Callable[..., list[Any]],
    unknown_to_lint: Callable[[str], set[str]],
) -> None:
    """No error and no warning, beyond what the two constants above name."""
    environment, edits = case
    region = plan_of(environment).region
    as_shipped = templates_of(environment) if edits and environment in STANDING else {}
    templates = {part: it for part, it in templates_of(environment, edits).items() if it != as_shipped.get(part)}
    wrong, used = [], set()
    for part, template in templates.items():
        excused = _instance_types(template) & unknown_to_lint(region)
        for match in lint(template, region):
            if match.rule == TYPE_NOT_IN_REGION and _value_at(match, template) in excused:
                used.add(_value_at(match, template))
            elif match.rule == REDUNDANT_DEPENDENCY and _is_in_function(match, template):
                used.add(REDUNDANT_DEPENDENCY)
            else:
                wrong.append(f"{part}: {match.rule} {match.path} {match.message}")
        assert excused <= used, "cfn-lint knows these now; drop cfn_lint_regions from their catalog rows"
    assert wrong == []
    has_functions = any("AWS::Lambda::Function" in str(template) for template in templates.values())
    assert (REDUNDANT_DEPENDENCY in used) == has_functions, "CDK names the role once now; drop the constant here"


def test_every_catalog_row_that_excuses_the_linter_is_needed(
    lint: Callable[..., list[Any]], unknown_to_lint: Callable[[str], set[str]]
) -> None:
    """A row with ``cfn_lint_regions`` names exactly the Regions in which the linter knows the type."""
    catalog = load_catalog()
    rows = [row for row in catalog.instance_types if row.cfn_lint_regions is not None]
    assert rows
    for region in sorted({region for row in rows for region in row.zone_ids}):
        resources = {
            f"Template{position}": {
                "Type": "AWS::EC2::LaunchTemplate",
                "Properties": {"LaunchTemplateData": {"InstanceType": row.name}},
            }
            for position, row in enumerate(rows)
        }
        template = {"Resources": resources}
        matches = [match for match in lint(template, region) if match.rule == TYPE_NOT_IN_REGION]
        refused = {_value_at(match, template) for match in matches}
        assert refused == unknown_to_lint(region), region
