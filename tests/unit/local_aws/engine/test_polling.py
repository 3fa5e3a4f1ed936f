"""Descriptions during a deployment: each sees one state of the stack."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

from local_aws.services.cloudformation import change_sets, events, stacks

POLLED = (
    events.describe_stack_events,
    events.describe_stack_resources,
    events.list_stack_resources,
    change_sets.list_change_sets,
    stacks.describe_stacks,
    stacks.list_exports,
)
DEPLOYMENTS = 12


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("busy_threads")
def test_a_stack_is_described_while_it_is_deployed(cloud, template, resource):
    many = {f"R{number}": resource(Value="1") for number in range(30)}
    output = {"O": {"Value": "x", "Export": {"Name": "o"}}}
    cloud.create("s", template(output, **many))
    failures: list[Exception] = []
    done = threading.Event()

    def poll() -> None:
        call = cloud.call("DescribeStacks", StackName="s")
        while not done.is_set():
            for operation in POLLED:
                try:
                    operation(call)
                except Exception as error:  # noqa: BLE001 - every kind is a failure
                    failures.append(error)

    pollers = [threading.Thread(target=poll) for _ in range(2)]
    for poller in pollers:
        poller.start()
    try:
        for turn in range(DEPLOYMENTS):
            retained = template(output, **dict(list(many.items())[turn % 2 :: 2]))
            cloud.change_set("s", retained, ChangeSetName=f"c{turn}")
            cloud.update("s", retained)
    finally:
        done.set()
        for poller in pollers:
            poller.join()
    assert failures == []
