"""Login nodes of Slurm that users do not reach, from answers in the form that the API documents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from botocore.stub import Stubber
from hint_commands import command_error

from neuron_cluster.aws.instance_states import InstanceState
from neuron_cluster.aws.session import AwsTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.status import HeldResources, StatusLine, StatusQuery, Verdict
from neuron_cluster.providers.pcs.login_status import login_lines
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
FILE = Path(__file__).parents[3] / "environments" / "slurm-trn1.yaml"
ACCESS = Destination(AwsTarget("us-west-2"), "111122223333")
NODE, OTHER = "i-0123456789abcdef0", "i-0123456789abcdef1"


@pytest.fixture
def ssm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubber]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "none")
    with Stubber(client(ACCESS.target, "ssm")) as stub:
        yield stub
    close_clients(ACCESS.target)


def lines(ssm: Stubber, **pings: str) -> list[StatusLine]:
    """The lines of two running login nodes, of which these have registered their agent."""
    plan = check_environment(FILE).require_plan()
    slurm = plan.provider(SlurmPlan)
    assert slurm is not None
    ids = {"node": NODE, "other": OTHER}
    rows = [
        {"InstanceId": ids[name], "PingStatus": ping, "LastPingDateTime": AT - timedelta(hours=1)}
        for name, ping in pings.items()
    ]
    ssm.add_response("describe_instance_information", {"InstanceInformationList": rows})
    running = [InstanceState(each, slurm.login_tag, "running", "", AT - timedelta(days=1)) for each in ids.values()]
    query = StatusQuery(plan, ACCESS, load_catalog(), AT, HeldResources({}), plan.name)
    return list(login_lines(query, slurm, running))


def test_a_login_node_that_lost_its_connection_is_an_error_whose_command_restarts_it(ssm: Stubber) -> None:
    (line,) = lines(ssm, node="ConnectionLost", other="Online")
    assert (line.subject, line.verdict, line.since) == (f"login node {NODE}", Verdict.ERROR, AT - timedelta(hours=1))
    assert line.command == f"aws ec2 reboot-instances --region us-west-2 --instance-ids {NODE}"
    assert command_error(line.command) == ""
    (after,) = lines(ssm, node="Online", other="Online")
    assert (after.verdict, after.cause) == (Verdict.HEALTHY, "2 of 2 online")


def test_without_any_login_node_each_is_named(ssm: Stubber) -> None:
    found = lines(ssm, node="ConnectionLost", other="Inactive")
    assert [(line.subject, line.verdict) for line in found] == [
        (f"login node {NODE}", Verdict.ERROR),
        (f"login node {OTHER}", Verdict.ERROR),
    ]


def test_a_node_that_never_registered_did_not_start(ssm: Stubber) -> None:
    (line,) = lines(ssm)
    assert (line.subject, line.verdict) == ("login nodes", Verdict.ERROR)
    assert "is not online in Systems Manager" in line.cause
    assert "get-console-output" in line.command


def test_agents_that_were_not_read_are_not_read(ssm: Stubber) -> None:
    ssm.add_client_error("describe_instance_information", "AccessDeniedException", "no")
    plan = check_environment(FILE).require_plan()
    slurm = plan.provider(SlurmPlan)
    assert slurm is not None
    query = StatusQuery(plan, ACCESS, load_catalog(), AT, HeldResources({}), plan.name)
    running = InstanceState(NODE, slurm.login_tag, "running", "", AT)
    (line,) = login_lines(query, slurm, [running])
    assert line.verdict is Verdict.NOT_READ
