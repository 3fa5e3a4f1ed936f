"""A local AWS that runs for days keeps no finished thread, and only the last events and deleted stacks."""

from __future__ import annotations

from local_aws.engine import stack as stack_module
from local_aws.engine import stack_table
from local_aws.services.cloudformation.events import describe_stack_events


def test_the_thread_of_a_finished_operation_is_forgotten(cloud, template, resource):
    cloud.create("s", template(A=resource()))
    threads = cloud.engine._in_progress._threads
    assert not threads


def test_the_last_events_are_kept(cloud, template, resource, monkeypatch):
    monkeypatch.setattr(stack_module, "EVENTS_KEPT", 150)
    stack = cloud.create("s", template(A=resource()))
    for number in range(700):
        stack.record_event("A", "T", str(number), "UPDATE_COMPLETE")
    assert 150 <= len(stack.events) <= 300
    given = {"StackName": "s"}
    found: list[str] = []
    while True:
        answer = describe_stack_events(cloud.call("DescribeStackEvents", **given))
        found += [event["PhysicalResourceId"] for event in answer["StackEvents"]]
        if "NextToken" not in answer:
            break
        given = {**given, "NextToken": answer["NextToken"]}
    assert found == [str(number) for number in range(699, 699 - len(stack.events), -1)]


def test_the_last_deleted_stacks_are_kept(cloud, template, resource, monkeypatch):
    monkeypatch.setattr(stack_table, "DELETED_KEPT", 2)
    first, *later = [cloud.delete(cloud.create("s", template(A=resource()))) for _ in range(3)]
    live = cloud.create("s", template(A=resource()))
    found = [cloud.find(stack.stack_id) for stack in (first, *later, live)]
    assert found == [None, *later, live]
