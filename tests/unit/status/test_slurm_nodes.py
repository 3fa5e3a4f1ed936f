"""Nodes by state in Slurm, from what `sinfo` prints on a login node."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from botocore.stub import Stubber
from hint_commands import command_error

from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.status import HeldResources, StatusLine, StatusQuery, Verdict
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.providers.pcs.slurm_nodes import node_lines, sinfo_command

ACCESS = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
LOGIN, COMMAND_ID = "i-0123456789abcdef0", str(uuid.UUID(int=7))
FILE = Path(__file__).parents[3] / "environments" / "slurm-trn1.yaml"
GOOD = "idle|2|trn1-[1-2]|Unknown|none\nidle~|3|trn1-[3-5]|Unknown|none\nmixed|1|login-1|Unknown|none\n"
DRAINED = "drained|1|trn1-6|2026-11-29T10:30:00|neuron-cluster: a|b is missing\n"


@pytest.fixture(scope="module")
def plan() -> ClusterPlan:
    return check_environment(FILE).require_plan()


@pytest.fixture
def ssm() -> Iterator[Stubber]:
    with Stubber(client(ACCESS.target, "ssm")) as stub:
        yield stub
    close_clients(ACCESS.target)


def slurm_of(plan: ClusterPlan) -> SlurmPlan:
    slurm = plan.provider(SlurmPlan)
    assert slurm is not None
    return slurm


def lines(plan: ClusterPlan, *online: str) -> list[StatusLine]:
    query = StatusQuery(plan, ACCESS, load_catalog(), AT, HeldResources({}), plan.name, may_run_commands=True)
    return list(node_lines(query, slurm_of(plan), online))


def sinfo_prints(
    ssm: Stubber, plan: ClusterPlan, output: str, status: str = "Success", errors: str = "", *, running: int = 0
) -> None:
    """The command is still running in the first ``running`` answers."""
    expected = {
        "InstanceIds": [LOGIN],
        "DocumentName": "AWS-RunShellScript",
        "Parameters": {"commands": [sinfo_command(slurm_of(plan))]},
        "TimeoutSeconds": 30,
    }
    ssm.add_response("send_command", {"Command": {"CommandId": COMMAND_ID}}, expected)
    for _ in range(running):
        ssm.add_response("get_command_invocation", {"Status": "InProgress"})
    texts = {"StandardOutputContent": output, "StandardErrorContent": errors}
    ssm.add_response("get_command_invocation", {"Status": status, "StatusDetails": status, **texts})


def test_nodes_in_service_are_one_healthy_line(ssm: Stubber, plan: ClusterPlan) -> None:
    sinfo_prints(ssm, plan, GOOD, running=1)
    (line,) = lines(plan, LOGIN)
    assert (line.verdict, line.cause) == (Verdict.HEALTHY, "2 idle, 1 mixed, 3 without an instance")


def test_a_drained_node_has_its_reason_its_time_and_the_command_that_resumes_it(
    ssm: Stubber, plan: ClusterPlan
) -> None:
    sinfo_prints(ssm, plan, GOOD + DRAINED)
    drained, others = lines(plan, LOGIN)
    assert (drained.subject, drained.verdict) == ("nodes trn1-6", Verdict.WARNING)
    assert drained.cause == "1 node is drained: neuron-cluster: a|b is missing"
    assert drained.since == datetime(2026, 11, 29, 10, 30, tzinfo=UTC)
    assert command_error(drained.command) == ""
    assert "scontrol update nodename=trn1-6 state=resume" in drained.command
    assert others.verdict is Verdict.HEALTHY


@pytest.mark.parametrize("state", ["down", "down*", "idle*", "drained*", "fail", "inval", "a state of tomorrow"])
def test_a_node_that_slurm_does_not_use_is_an_error(state: str, ssm: Stubber, plan: ClusterPlan) -> None:
    sinfo_prints(ssm, plan, f"{state}|2|trn1-[1-2]|Unknown|none")
    (line,) = lines(plan, LOGIN)
    assert (line.verdict, line.since) == (Verdict.ERROR, None)
    assert line.cause.startswith("2 nodes are ")
    assert "scontrol show node trn1-[1-2]" in line.command


@pytest.mark.parametrize(
    ("output", "status", "errors", "cause"),
    [
        ("", "Failed", "slurm_load_partitions: Unable to contact", "sinfo did not succeed (Failed): slurm_load_p"),
        ("Welcome to the login node\n", "Success", "", "sinfo printed 'Welcome to the login node"),
        ("idle|many|trn1-1|Unknown|none", "Success", "", "sinfo printed 'idle|many"),
    ],
)
def test_without_a_list_of_nodes_they_are_not_read(
    output: str, status: str, errors: str, cause: str, ssm: Stubber, plan: ClusterPlan
) -> None:
    sinfo_prints(ssm, plan, output, status, errors)
    (line,) = lines(plan, LOGIN)
    assert line.verdict is Verdict.NOT_READ
    assert line.cause.startswith(f"ssm:SendCommand: {cause}")


def test_a_login_node_that_takes_no_commands_is_not_read(ssm: Stubber, plan: ClusterPlan) -> None:
    (line,) = lines(plan)
    assert (line.verdict, line.cause) == (
        Verdict.NOT_READ,
        "ssm:SendCommand: no login node is online in Systems Manager",
    )
    ssm.add_client_error("send_command", "InvalidInstanceId")
    assert [each.verdict for each in lines(plan, LOGIN)] == [Verdict.NOT_READ]


def test_a_denied_command_leads_to_the_identity_of_the_caller(ssm: Stubber, plan: ClusterPlan) -> None:
    ssm.add_client_error("send_command", "AccessDeniedException", "not authorized to perform ssm:SendCommand")
    (line,) = lines(plan, LOGIN)
    assert (line.verdict, "sts get-caller-identity" in line.command) == (Verdict.NOT_READ, True)


def test_the_command_that_resumes_nodes_is_json_that_run_command_takes(ssm: Stubber, plan: ClusterPlan) -> None:
    sinfo_prints(ssm, plan, DRAINED)
    (line,) = lines(plan, LOGIN)
    given = line.command.partition("--parameters ")[2].strip("'")
    assert list(json.loads(given)) == ["commands"]
