"""Cloud Control API: a resource's life, what it refuses, and the resources of stacks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from local_aws.services.cloudcontrol.json_patch import patched

Refused = Callable[..., tuple[str, str]]
TOPIC = "AWS::SNS::Topic"


@pytest.fixture
def control(client: Callable[[str], Any]) -> Any:
    return client("cloudcontrol")


@pytest.fixture
def topic(control: Any) -> str:
    """Identifier of a new topic."""
    desired = json.dumps({"TopicName": "calls", "DisplayName": "Calls"})
    event = control.create_resource(TypeName=TOPIC, DesiredState=desired)["ProgressEvent"]
    assert event["OperationStatus"] == "SUCCESS"
    control.get_waiter("resource_request_success").wait(RequestToken=event["RequestToken"])
    return str(event["Identifier"])


def patch(*operations: tuple[Any, ...]) -> str:
    """Returns the patch of verbs with a path, and a value or the path that it comes from."""
    third = {"move": "from", "copy": "from"}
    return json.dumps(
        [dict(zip(("op", "path", third.get(each[0], "value")), each, strict=False)) for each in operations]
    )


def properties(control: Any, identifier: str) -> dict[str, Any]:
    found = control.get_resource(TypeName=TOPIC, Identifier=identifier)["ResourceDescription"]["Properties"]
    return dict(json.loads(found))


def test_a_resource_is_created_read_updated_listed_and_deleted(control: Any, refused: Refused, topic: str) -> None:
    assert properties(control, topic)["DisplayName"] == "Calls"
    change = patch(("replace", "/DisplayName", "Other calls"), ("add", "/Tags", [{"Key": "team", "Value": "a"}]))
    control.update_resource(TypeName=TOPIC, Identifier=topic, PatchDocument=change)
    found = properties(control, topic)
    assert (found["DisplayName"], found["Tags"]) == ("Other calls", [{"Key": "team", "Value": "a"}])
    control.update_resource(TypeName=TOPIC, Identifier=topic, PatchDocument=patch(("remove", "/Tags/0")))
    assert properties(control, topic)["Tags"] == []
    (listed,) = control.list_resources(TypeName=TOPIC)["ResourceDescriptions"]
    assert (listed["Identifier"], json.loads(listed["Properties"])["DisplayName"]) == (topic, "Other calls")
    control.delete_resource(TypeName=TOPIC, Identifier=topic)
    code, message = refused(control.get_resource, TypeName=TOPIC, Identifier=topic)
    assert (code, topic in message) == ("ResourceNotFoundException", True)
    assert control.list_resources(TypeName=TOPIC)["ResourceDescriptions"] == []


def test_what_a_service_or_a_type_refuses_is_in_the_event(control: Any, topic: str) -> None:
    queue = {"TypeName": "AWS::SQS::Queue", "DesiredState": json.dumps({"FifoQueue": True})}
    event = control.create_resource(**queue)["ProgressEvent"]
    assert (event["OperationStatus"], event["ErrorCode"]) == ("FAILED", "InvalidRequest")
    assert "FifoQueue" in event["StatusMessage"]
    renamed = patch(("replace", "/TopicName", "other"))
    event = control.update_resource(TypeName=TOPIC, Identifier=topic, PatchDocument=renamed)["ProgressEvent"]
    assert (event["OperationStatus"], event["ErrorCode"]) == ("FAILED", "NotUpdatable")
    assert control.get_resource_request_status(RequestToken=event["RequestToken"])["ProgressEvent"] == event
    assert properties(control, topic)["TopicName"] == "calls"


def test_a_client_token_is_of_one_request(control: Any, refused: Refused) -> None:
    first = {"TypeName": "AWS::SQS::Queue", "DesiredState": "{}", "ClientToken": "one"}
    event = control.create_resource(**first)["ProgressEvent"]
    assert control.create_resource(**first)["ProgressEvent"] == event
    code, message = refused(control.create_resource, **first | {"DesiredState": '{"QueueName": "two"}'})
    assert (code, "one" in message) == ("ClientTokenConflictException", True)
    control.delete_resource(TypeName="AWS::SQS::Queue", Identifier=event["Identifier"])


def test_requests_that_are_not_valid(control: Any, refused: Refused, topic: str) -> None:
    code, _ = refused(control.create_resource, TypeName="AWS::Nothing::Here", DesiredState="{}")
    assert code == "TypeNotFoundException"
    for desired in ("{", "[]"):
        assert refused(control.create_resource, TypeName=TOPIC, DesiredState=desired)[0] == "InvalidRequestException"
    for change in ("{}", patch(("remove", "/Nothing"))):
        wish = {"TypeName": TOPIC, "Identifier": topic, "PatchDocument": change}
        assert refused(control.update_resource, **wish)[0] == "InvalidRequestException"
    code, _ = refused(control.get_resource_request_status, RequestToken="none")
    assert code == "RequestTokenNotFoundException"
    code, _ = refused(control.delete_resource, TypeName="AWS::EC2::VPC", Identifier="vpc-11111111")
    assert code == "ResourceNotFoundException"


def test_resources_of_stacks_are_found(control: Any, client: Callable[[str], Any]) -> None:
    template = {"Resources": {"Queue": {"Type": "AWS::SQS::Queue", "Properties": {"DelaySeconds": 5}}}}
    client("cloudformation").create_stack(StackName="has-a-queue", TemplateBody=json.dumps(template))
    client("cloudformation").get_waiter("stack_create_complete").wait(StackName="has-a-queue")
    (queue,) = control.list_resources(TypeName="AWS::SQS::Queue")["ResourceDescriptions"]
    assert json.loads(queue["Properties"])["DelaySeconds"] == 5
    client("cloudformation").delete_stack(StackName="has-a-queue")
    client("cloudformation").get_waiter("stack_delete_complete").wait(StackName="has-a-queue")
    assert control.list_resources(TypeName="AWS::SQS::Queue")["ResourceDescriptions"] == []


@pytest.mark.parametrize(
    ("operations", "result"),
    [
        ([("add", "/a~1b", 1)], {"list": [1, {"c": 2}], "a/b": 1}),
        ([("add", "/list/0", 0)], {"list": [0, 1, {"c": 2}]}),
        ([("add", "/list/-", 3)], {"list": [1, {"c": 2}, 3]}),
        ([("replace", "/list/0", 7), ("remove", "/list/1/c")], {"list": [7, {}]}),
        ([("move", "/c", "/list/1/c")], {"list": [1, {}], "c": 2}),
        ([("move", "/list/1", "/list/0")], {"list": [{"c": 2}, 1]}),
        ([("copy", "/other", "/list/1"), ("add", "/other/d", 3)], {"list": [1, {"c": 2}], "other": {"c": 2, "d": 3}}),
        ([("test", "/list/1", {"c": 2}), ("remove", "/list/1")], {"list": [1]}),
        ([("replace", "", {"c": 2}), ("add", "/a~0b", 1)], {"c": 2, "a~b": 1}),
    ],
)
def test_patches(operations: list[tuple[Any, ...]], result: dict[str, Any]) -> None:
    document = {"list": [1, {"c": 2}]}
    assert patched(document, json.loads(patch(*operations))) == result
    assert document == {"list": [1, {"c": 2}]}


@pytest.mark.parametrize(
    "operation",
    [
        *("remove", ["remove", "/list/0"], {"path": "/list"}, {"op": "merge", "path": "/list", "value": 1}),
        *({"op": "remove"}, {"op": "remove", "path": 1}, {"op": "remove", "path": "list"}),
        *({"op": "add", "path": "/b"}, {"op": "add", "path": "ab/b", "value": 1}, {"op": "move", "path": "/b"}),
        *({"op": "add", "path": "/list/x", "value": 1}, {"op": "add", "path": "/list/01", "value": 1}),
        *({"op": "add", "path": "/list/3", "value": 1}, {"op": "remove", "path": "/list/-1"}),
        *({"op": "remove", "path": "/list/-"}, {"op": "remove", "path": "/text/0"}),
        *({"op": "replace", "path": "/b", "value": 1}, {"op": "replace", "path": "/text/0", "value": 1}),
        *({"op": "copy", "path": "/b", "from": "/c"}, {"op": "test", "path": "/list/0", "value": 2}),
        *({"op": "test", "path": "/list/0", "value": True}, {"op": "test", "path": "/b"}),
        *({"op": "add", "path": "/a~b", "value": 1}, {"op": "replace", "path": "", "value": [1]}),
    ],
    ids=json.dumps,
)
def test_patches_that_are_not_valid_or_do_not_fit(operation: Any) -> None:
    with pytest.raises(ValueError, match=" is not "):
        patched({"list": [1, {"c": 2}], "text": "a"}, [operation])
