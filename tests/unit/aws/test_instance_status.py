"""Status checks and scheduled events, from answers in the form that the API documents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.instance_status import ScheduledEvent, instance_conditions
from neuron_cluster.aws.session import LocalTarget, client, close_clients

LOCAL = LocalTarget("us-west-2", "111122223333", "http://127.0.0.1:9")
AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
IDS = [f"i-{number:017x}" for number in range(120)]


@pytest.fixture
def ec2() -> Iterator[Stubber]:
    with Stubber(client(LOCAL, "ec2")) as stub:
        yield stub
    close_clients(LOCAL)


def row(instance_id: str, *, system: str = "ok", events: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    details = [{"Name": "reachability", "Status": "failed", "ImpairedSince": AT}] if system == "impaired" else []
    return {
        "InstanceId": instance_id,
        "InstanceState": {"Code": 16, "Name": "running"},
        "SystemStatus": {"Status": system, "Details": details},
        "InstanceStatus": {"Status": "ok"},
        "Events": list(events),
    }


def test_only_instances_with_something_to_report_are_returned(ec2: Stubber) -> None:
    retirement = {"Code": "instance-retirement", "Description": "The instance is on degraded hardware", "NotBefore": AT}
    done = {"Code": "system-reboot", "Description": "[Completed] The system was rebooted", "NotBefore": AT}
    first = [row(IDS[0]), row(IDS[1], system="impaired"), row(IDS[2], events=(done,))]
    ec2.add_response("describe_instance_status", {"InstanceStatuses": first}, {"InstanceIds": IDS[:100]})
    second = [row(IDS[101], events=(retirement, done))]
    ec2.add_response("describe_instance_status", {"InstanceStatuses": second}, {"InstanceIds": IDS[100:]})
    impaired, retired = instance_conditions(LOCAL, IDS)
    assert (impaired.id, impaired.failed_checks) == (IDS[1], ("the system status check",))
    assert impaired.impaired_since == AT
    assert (retired.id, retired.failed_checks) == (IDS[101], ())
    assert retired.events == (ScheduledEvent("instance-retirement", "The instance is on degraded hardware", AT),)
    ec2.assert_no_pending_responses()


def test_an_instance_that_ec2_has_forgotten_is_left_out(ec2: Stubber) -> None:
    message = f"The instance ID '{IDS[0]}' does not exist"
    ec2.add_client_error("describe_instance_status", "InvalidInstanceID.NotFound", message)
    answer = {"InstanceStatuses": [row(IDS[1], system="impaired")]}
    ec2.add_response("describe_instance_status", answer, {"InstanceIds": IDS[1:2]})
    assert [condition.id for condition in instance_conditions(LOCAL, IDS[:2])] == [IDS[1]]


def test_a_denied_call_is_an_error(ec2: Stubber) -> None:
    ec2.add_client_error("describe_instance_status", "UnauthorizedOperation", "not authorized")
    with pytest.raises(AwsApiError, match="access denied: DescribeInstanceStatus"):
        instance_conditions(LOCAL, IDS[:2])
