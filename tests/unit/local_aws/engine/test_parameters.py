"""A stack's parameters."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError
from msgspec.structs import replace

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.template import parse_template
from local_aws.engine.parameters import bind_parameters

IMAGE = "/aws/service/ami"


class Ssm:
    """A parameter store with one parameter."""

    value = "ami-1"

    def get_parameter(self, Name, WithDecryption):  # noqa: N803, ARG002 - boto3's spelling and parameters
        if Name != IMAGE:
            raise ClientError({"Error": {"Code": "ParameterNotFound", "Message": Name}}, "GetParameter")
        return {"Parameter": {"Value": self.value}}


@pytest.fixture
def bind():
    """Binds one declared parameter ``P``; ``given`` None leaves it out."""
    ssm = Ssm()

    def make(declaration, given=None, previous=None):
        template = replace(parse_template('{"Resources": {"A": {"Type": "T"}}}'), parameters={"P": declaration})
        entries = [] if given is None else [{"ParameterKey": "P", **given}]
        return bind_parameters(template, entries, previous or {}, lambda _: ssm)["P"]

    make.ssm = ssm
    return make


def test_default_applies_until_a_value_is_given(bind):
    assert bind({"Type": "String", "Default": "d"}).value == "d"
    assert bind({"Type": "String", "Default": "d"}, {"ParameterValue": "x"}).value == "x"
    assert bind({"Type": "Number", "Default": 3}).value == "3"


def test_lists_are_split(bind):
    assert bind({"Type": "CommaDelimitedList"}, {"ParameterValue": "a, b"}).value == ["a", "b"]
    assert bind({"Type": "List<AWS::EC2::Subnet::Id>", "Default": "a"}).value == ["a"]


def test_hidden_value_is_masked_in_descriptions(bind):
    assert bind({"Type": "String", "NoEcho": "true"}, {"ParameterValue": "x"}).described() == {
        "ParameterKey": "P",
        "ParameterValue": "****",
    }


def test_ssm_parameter_shows_its_name_and_gives_its_value(bind):
    found = bind({"Type": "AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>", "Default": IMAGE})
    assert found.value == "ami-1"
    assert found.described() == {"ParameterKey": "P", "ParameterValue": IMAGE, "ResolvedValue": "ami-1"}


def test_previous_value_of_an_ssm_parameter_is_read_anew(bind):
    """The name is what is kept, not the value that it had."""
    declaration = {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "elsewhere"}
    first = bind(declaration, {"ParameterValue": IMAGE})
    bind.ssm.value = "ami-2"
    again = bind(declaration, {"UsePreviousValue": True}, {"P": first})
    assert (again.text, again.value) == (IMAGE, "ami-2")


@pytest.mark.parametrize(
    ("declaration", "given", "message"),
    [
        ({"Type": "String"}, None, "Parameters: [P] must have values"),
        ({"Type": "String"}, {"UsePreviousValue": True}, "not in the previous template"),
        (
            {"Type": "String", "AllowedValues": ["a", "b"]},
            {"ParameterValue": "c"},
            "'P' must be one of AllowedValues [a, b]",
        ),
        ({"Type": "String", "AllowedPattern": "[a-z]+"}, {"ParameterValue": "A"}, "'P' must match pattern [a-z]+"),
        (
            {"Type": "String", "AllowedPattern": "[a-z]+", "ConstraintDescription": "lower case"},
            {"ParameterValue": "A"},
            "'P' failed to satisfy constraint: lower case",
        ),
        ({"Type": "String", "MinLength": 2}, {"ParameterValue": "a"}, "at least 2 characters"),
        ({"Type": "String", "MaxLength": "2"}, {"ParameterValue": "abc"}, "at most 2 characters"),
        ({"Type": "Number"}, {"ParameterValue": "abc"}, "must be a number"),
        ({"Type": "Number", "MinValue": 3}, {"ParameterValue": "2"}, "not less than 3"),
        ({"Type": "Number", "MaxValue": 3}, {"ParameterValue": "4"}, "not greater than 3"),
        (
            {"Type": "AWS::SSM::Parameter::Value<String>"},
            {"ParameterValue": "/none"},
            "Unable to fetch parameters [/none] from parameter store for this account.",
        ),
    ],
)
def test_value_that_does_not_fit_is_refused(bind, declaration, given, message):
    with pytest.raises(TemplateError) as refused:
        bind(declaration, given)
    assert message in refused.value.message


def test_undeclared_parameter_is_refused():
    template = parse_template('{"Resources": {"A": {"Type": "T"}}}')
    with pytest.raises(TemplateError, match=r"Parameters: \[X\] do not exist in the template"):
        bind_parameters(template, [{"ParameterKey": "X", "ParameterValue": "1"}], {}, lambda _: Ssm())


def test_a_list_of_numbers_has_numbers_only(bind):
    declaration = {"Type": "List<Number>", "MaxValue": 5}
    assert bind(declaration, {"ParameterValue": "1, 2.5"}).value == ["1", "2.5"]
    assert bind(declaration, {"ParameterValue": ""}).value == []
    with pytest.raises(TemplateError, match=r"Parameter 'P' must be a list of numbers\."):
        bind(declaration, {"ParameterValue": "1,b"})
    with pytest.raises(TemplateError, match="Parameter 'P' must be a number not greater than 5"):
        bind(declaration, {"ParameterValue": "1,6"})
