"""Every rule catches the templates of its fixture, alone, and accepts the sound ones and the shipped ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from template_cases import REGION, TemplateCases, rule_fixture, rules_with_fixtures, sound_templates
from template_rule_follow import Follow, TemplateRuleCase, rule_cases

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.needs import UndeclaredNeed
from neuron_cluster.template_rules.base import TemplateContext
from neuron_cluster.template_rules.discover import all_template_rules
from neuron_cluster.template_rules.run import check_templates
from tests.every_case import every_case

CATALOG = load_catalog()

SOUND = sound_templates()


def service_of(case: str) -> str:
    """As ``E81``: the rules of a service have numbers of their own."""
    return case[:3]


CASES = [
    pytest.param(case, id=f"{rule}-{number}")
    for rule in rules_with_fixtures()
    for number, case in enumerate(rule_cases(rule, TemplateCases(), rule_fixture(rule)))
]
BAD = [param for param in CASES if param.values[0].given["finds"]]
FOLLOWS = [
    pytest.param(case, follow, id=f"{param.id}-{number}")
    for param in BAD
    for case in param.values
    for number, follow in enumerate(case.follows)
    if follow.is_edit
]


@every_case("case", CASES, group=service_of)
def test_a_broken_template_is_caught_by_its_rule_alone(case: TemplateRuleCase) -> None:
    found = [(f.id, f"{f.location.file} {f.location.path}") for f in case.found_anew()]
    assert found == [(case.rule, place) for place in case.given["finds"]]


@every_case("case", BAD, group=service_of)
def test_every_hint_says_how_it_is_followed(case: TemplateRuleCase) -> None:
    """And the commands in it are understood by the program that they name."""
    assert case.follows
    assert case.command_errors() == []


@every_case("case, follow", FOLLOWS, group=service_of)
def test_a_hint_that_is_followed_leads_to_templates_that_break_no_rule(case: TemplateRuleCase, follow: Follow) -> None:
    assert case.flaws_of(follow) == []


def test_a_context_has_a_resource_or_a_template() -> None:
    context = TemplateContext(catalog=CATALOG, given_template=SOUND["storage"])
    assert context.template == SOUND["storage"]
    with pytest.raises(UndeclaredNeed, match=r"declares `needs = Needs\.RESOURCE`"):
        _ = context.resource


def test_sound_templates_break_no_rule() -> None:
    assert check_templates(SOUND, CATALOG, region=REGION) == []


def test_every_rule_has_a_fixture_and_every_fixture_a_rule() -> None:
    assert rules_with_fixtures() == [rule.id for rule in all_template_rules()]


def test_a_file_holds_one_rule() -> None:
    modules = [type(rule).__module__ for rule in all_template_rules()]
    assert len(set(modules)) == len(modules)


def test_every_rule_says_its_operation_its_source_and_a_sentence() -> None:
    lacking = [
        rule.id
        for rule in all_template_rules()
        if not (rule.operation and rule.source and (rule.__doc__ or "").split("\n")[0].endswith("."))
    ]
    assert lacking == []


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Container and key of every value inside, but not inside a function of CloudFormation."""
    if isinstance(tree, dict) and any(key == "Ref" or key.startswith("Fn::") for key in tree):
        return
    keys = list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def test_what_a_template_does_not_tell_breaks_no_rule() -> None:
    """Each value inside each sound resource gives way to one that only the deploy knows."""
    templates = copy.deepcopy(SOUND)
    broken = []
    for stack, template in SOUND.items():
        for logical_id in template["Resources"]:
            for container, key in list(_places(templates[stack]["Resources"][logical_id]["Properties"])):
                known, container[key] = container[key], {"Fn::ImportValue": "elsewhere"}
                broken += [(f.id, logical_id, key) for f in check_templates(templates, CATALOG, region=REGION)]
                container[key] = known
    assert broken == []
