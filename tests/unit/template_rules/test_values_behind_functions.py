"""A rule judges a value in the same way whether the template writes it plainly or as Fn::Sub."""

from __future__ import annotations

from typing import Any

import pytest
from template_cases import REGION, TemplateCases, rule_fixture, rules_with_fixtures
from template_rule_follow import TemplateRuleCase, rule_cases

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates
from tests.every_case import every_case

CASES = [
    pytest.param(case, id=f"{rule}-{number}")
    for rule in rules_with_fixtures()
    for number, case in enumerate(rule_cases(rule, TemplateCases(), rule_fixture(rule)))
    if case.given["finds"]
]


def _substituted(tree: Any) -> Any:
    """With Fn::Sub for every text that is no function's argument."""
    if isinstance(tree, str):
        return {"Fn::Sub": tree.replace("${", "${!")}
    if isinstance(tree, list):
        return [_substituted(item) for item in tree]
    if isinstance(tree, dict) and not any(key == "Ref" or key.startswith("Fn::") for key in tree):
        return {key: _substituted(value) for key, value in tree.items()}
    return tree


@every_case("case", CASES)
def test_a_rule_sees_a_value_behind_fn_sub(case: TemplateRuleCase) -> None:
    templates = case.tree
    for template in templates.values():
        for resource in template["Resources"].values():
            if "Properties" in resource:
                resource["Properties"] = _substituted(resource["Properties"])
    found = [
        (f.id, f"{f.location.file} {f.location.path}")
        for f in check_templates(templates, load_catalog(), region=REGION)
    ]
    assert found == [(case.rule, place) for place in case.given["finds"]]
