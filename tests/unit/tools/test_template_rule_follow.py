"""A way to follow a hint that the hint does not say, or that does not help, is a flaw with a name."""

from typing import Any

import pytest
from template_cases import TemplateCases
from template_rule_follow import TemplateRuleCase, rule_cases

TOKENS = "nodes/Template/LaunchTemplateData/MetadataOptions/HttpTokens"
HOPS = "nodes/Template/LaunchTemplateData/MetadataOptions/HttpPutResponseHopLimit"
WITHOUT_TOKENS = {"set": {TOKENS: "optional"}}
WITHOUT_OPTIONS = {"remove": ["nodes/Template/LaunchTemplateData/MetadataOptions"]}
LEFT = "E8109 Template.LaunchTemplateData.MetadataOptions.HttpTokens: is optional; it must be required"
BROUGHT = "E8126 Template.LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit: is not set; it must be 1"


def case_of(edits: dict[str, Any], *ways: Any) -> TemplateRuleCase:
    """A case of E8109, whose hint is: set HttpTokens: required."""
    [case] = rule_cases("E8109", TemplateCases(), [{**edits, "follow": list(ways)}])
    return case


@pytest.mark.parametrize(
    ("edits", "way", "flaws"),
    [
        pytest.param(WITHOUT_TOKENS, {"@": "required"}, [], id="to the letter"),
        pytest.param(WITHOUT_TOKENS, {"^/HttpTokens": "required"}, [], id="by way of the parent"),
        pytest.param(WITHOUT_TOKENS, {"@": "on"}, ["on", LEFT.replace("optional", "on")], id="another value"),
        pytest.param(WITHOUT_TOKENS, {"@": "~delete~"}, ["a removal", LEFT.replace("optional", "not set")], id="gone"),
        pytest.param(WITHOUT_TOKENS, {"yours": {"^/HttpEndpoint": "x"}}, ["HttpEndpoint", LEFT], id="another key"),
        pytest.param(WITHOUT_OPTIONS, {"@": "required"}, [BROUGHT], id="a new finding"),
        pytest.param(WITHOUT_OPTIONS, {"edits": {"@": "required"}, "then": [{HOPS: 1}]}, [], id="what its hint says"),
        pytest.param(WITHOUT_OPTIONS, {"edits": {"@": "required"}, "then": [{HOPS: 2}]}, ["2"], id="what it does not"),
        pytest.param(
            WITHOUT_TOKENS, {"edits": {"@": "required"}, "then": [{HOPS: 1}]}, ["no finding asks for it"], id="too much"
        ),
    ],
)
def test_the_flaws_of_a_way(edits: dict[str, Any], way: Any, flaws: list[str]) -> None:
    case = case_of(edits, way)
    assert case.flaws_of(case.follows[0])[: len(flaws) or 1] == flaws


def test_each_place_is_where_the_walk_begins_once() -> None:
    """Four findings, and a way that helps each: the walk goes on until all are gone."""
    edits = {"set": {"storage/Bucket/PublicAccessBlockConfiguration": {}}}
    [case] = rule_cases("E8401", TemplateCases(), [edits], follow=[{"@": True}])
    assert len(case.findings) == 4
    assert case.flaws_of(case.follows[0]) == []
    [case] = rule_cases("E8401", TemplateCases(), [edits], follow=[{"@": False}])
    assert len(case.flaws_of(case.follows[0])) > len(case.findings)


def test_a_way_by_command_needs_one_in_the_hint() -> None:
    assert case_of(WITHOUT_TOKENS, {"@": "required"}).command_errors() == []
    assert case_of(WITHOUT_TOKENS, "command").command_errors() == ["no command"]
