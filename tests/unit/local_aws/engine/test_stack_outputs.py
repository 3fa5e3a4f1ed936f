"""``Fn::GetStackOutput``: outputs of other stacks, which need no export and are not locked."""

from __future__ import annotations

import pytest

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.value_source import StackOutput
from local_aws.engine.stack_values import output_value


@pytest.fixture
def producer(template, resource):
    def make(value="1", output="Id"):
        return template({output: {"Value": {"Fn::GetAtt": "A.Echo"}}}, A=resource(Value=value))

    return make


@pytest.fixture
def consumer(template, resource):
    """A stack that reads output ``Id`` of stack ``net``, or what the arguments say."""

    def make(**changes):
        return template(B=resource(Value={"Fn::GetStackOutput": {"StackName": "net", "OutputName": "Id", **changes}}))

    return make


def test_an_output_without_export_is_read_and_not_locked(cloud, producer, consumer):
    net = cloud.create("net", producer("10.0.0.0/16"))
    app = cloud.create("app", consumer())
    assert app.resources["B"].properties == {"Value": "10.0.0.0/16"}
    assert cloud.update("net", producer("other", "Renamed")).status == "UPDATE_COMPLETE"
    assert cloud.delete(net).status == "DELETE_COMPLETE"
    assert app.resources["B"].properties == {"Value": "10.0.0.0/16"}


def test_a_changed_output_arrives_with_the_next_update(cloud, producer, consumer):
    cloud.create("net", producer("1"))
    cloud.create("app", consumer())
    cloud.update("net", producer("2"))
    assert cloud.update("app", consumer()).resources["B"].properties == {"Value": "2"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"StackName": "none"}, "Stack with id none does not exist"),
        ({"OutputName": "None"}, "Output None does not exist in stack net"),
        ({"Region": "eu-west-2"}, "Stack with id net does not exist"),
        ({"Region": "cn-north-1"}, "does not support references to another partition: cn-north-1"),
        ({"RoleArn": "arn:aws-cn:iam::444455556666:role/reader"}, "is not the ARN of a role"),
    ],
)
def test_what_is_not_there_fails_the_stack(cloud, producer, consumer, changes, reason):
    cloud.create("net", producer())
    stack = cloud.create("app", consumer(**changes))
    assert stack.status == "ROLLBACK_COMPLETE"
    assert any(reason in (event.reason or "") for event in stack.events)


@pytest.mark.parametrize(
    "argument",
    [
        "net.Id",
        {"StackName": "net"},
        {"StackName": "net", "OutputName": "A", "X": "1"},
        {"StackName": "net", "OutputName": ["A"]},
        {"StackName": "net", "OutputName": ""},
    ],
)
def test_a_malformed_argument_is_refused_at_once(cloud, template, resource, argument):
    with pytest.raises(TemplateError, match="every Fn::GetStackOutput object requires"):
        cloud.create("app", template(B=resource(Value={"Fn::GetStackOutput": argument})))
    assert cloud.find("app") is None


def test_the_role_that_reads_another_account_has_to_exist(cloud, local_aws, producer, consumer):
    cloud.create("net", producer())
    app = cloud.create("app", consumer())
    output = StackOutput("net", "Id", role_arn="arn:aws:iam::444455556666:role/none")
    with pytest.raises(TemplateError, match="role/none is invalid or cannot be assumed"):
        output_value(output, app, cloud.engine.table, local_aws.endpoint)
