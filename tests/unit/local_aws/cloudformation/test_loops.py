"""``Fn::ForEach``, as the transform AWS::LanguageExtensions writes it out."""

from __future__ import annotations

import json

import pytest

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.template import parse_template

TOPIC = {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": {"Fn::Sub": "${AWS::StackName}-${Name}"}}}
LIST = {"Names": {"Type": "CommaDelimitedList", "Default": "a,b"}}
PROPERTIES = {"Fn::ForEach::Kinds": ["Kind", ["A", "B"], {"Set${Kind}": {"Ref": "Kind"}}]}
LOOPS = {
    "resources": {"Resources": {"Fn::ForEach::Topics": ["Name", ["a", "b"], {"Topic${Name}": TOPIC}]}},
    "parameter": {
        "Parameters": LIST,
        "Resources": {"Fn::ForEach::Topics": ["Name", {"Ref": "Names"}, {"Topic${Name}": TOPIC}]},
    },
    "nested": {
        "Resources": {
            "Fn::ForEach::Outer": [
                "Name",
                ["a", "b"],
                {"Fn::ForEach::Inner": ["Size", ["1", "2"], {"T${Name}${Size}": TOPIC}]},
            ]
        }
    },
    "letters and digits": {"Resources": {"Fn::ForEach::T": ["Name", ["10.0.0.1", "b-c"], {"T&{Name}": TOPIC}]}},
    "properties": {"Resources": {"T": {"Type": "AWS::SNS::Topic", "Properties": PROPERTIES}}},
    "conditions and outputs": {
        "Conditions": {"Fn::ForEach::C": ["Name", ["a"], {"Is${Name}": {"Fn::Equals": ["${Name}", "a"]}}]},
        "Resources": {"T": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {"Fn::ForEach::O": ["Name", ["a"], {"Out${Name}": {"Value": {"Ref": "Name"}}}]},
    },
}


def parsed(document, **parameters):
    return parse_template(json.dumps({"Transform": "AWS::LanguageExtensions", **document}), parameters=parameters)


@pytest.mark.exhaustive
@pytest.mark.parametrize("document", LOOPS.values(), ids=LOOPS.keys())
def test_the_names_are_those_that_cfn_lint_finds(document):
    from cfnlint.template import Template as LintedTemplate
    from cfnlint.template.transforms._language_extensions import language_extension

    whole = {"Transform": "AWS::LanguageExtensions", **document}
    matches, linted = language_extension(LintedTemplate("t.json", json.loads(json.dumps(whole)), ["us-east-1"]))
    assert not matches
    found = parsed(document).processed
    for section in ("Conditions", "Resources", "Outputs"):
        assert found.get(section, {}).keys() == linted.get(section, {}).keys()


def test_the_identifier_has_its_value_everywhere():
    resources = parsed(LOOPS["resources"]).resources
    assert resources["Topica"].properties == {"TopicName": {"Fn::Sub": "${AWS::StackName}-a"}}
    assert parsed(LOOPS["properties"]).resources["T"].properties == {"SetA": "A", "SetB": "B"}
    assert list(parsed(LOOPS["letters and digits"]).resources) == ["T10001", "Tbc"]


def test_a_given_list_wins_over_the_default():
    assert list(parsed(LOOPS["parameter"], Names="x, y").resources) == ["Topicx", "Topicy"]


def test_a_policy_may_be_a_parameter():
    parameters = {"Keep": {"Type": "String", "Default": "Retain"}}
    topic = {"Type": "AWS::SNS::Topic", "DeletionPolicy": {"Ref": "Keep"}}
    template = parsed({"Parameters": parameters, "Resources": {"T": topic}})
    assert template.resources["T"].deletion_policy == "Retain"
    with pytest.raises(TemplateError, match="Invalid DeletionPolicy"):
        parsed({"Resources": {"T": topic}})


@pytest.mark.parametrize(
    ("loop", "text"),
    [
        ("text", "layout is incorrect"),
        (["Name", ["a"]], "layout is incorrect"),
        (["Name", {"Fn::Split": [",", "a,b"]}, {"T${Name}": TOPIC}], "could not be resolved"),
        (["Name", {"Ref": "Unknown"}, {"T${Name}": TOPIC}], "could not be resolved"),
        (["Name", ["a", "b"], {"T": TOPIC}], "duplicate keys: T"),
        (["Names", ["a"], {"T${Names}": TOPIC}], "the identifier Names of Fn::ForEach::X is used already"),
        (["Name", ["a"], {"Fn::ForEach::Y": ["Name", ["b"], {"T": TOPIC}]}], "is used already"),
    ],
)
def test_a_loop_that_cannot_be_written_out_is_refused(loop, text):
    with pytest.raises(TemplateError, match=text):
        parsed({"Parameters": LIST, "Resources": {"Fn::ForEach::X": loop}})


def test_a_loop_does_not_make_a_key_that_is_there():
    resources = {"Topica": TOPIC, **LOOPS["resources"]["Resources"]}
    with pytest.raises(TemplateError, match="Fn::ForEach makes duplicate keys: Topica"):
        parsed({"Resources": resources})


def test_loops_need_the_transform_and_a_section_that_takes_them():
    with pytest.raises(TemplateError, match=r"Fn::ForEach::Topics is non alphanumeric"):
        parse_template(json.dumps(LOOPS["resources"]))
    with pytest.raises(TemplateError, match="Fn::ForEach::M is not supported in Mappings"):
        parsed({**LOOPS["resources"], "Mappings": {"Fn::ForEach::M": ["N", ["a"], {"${N}": {"b": {"c": "d"}}}]}})
