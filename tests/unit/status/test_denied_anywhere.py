"""Random environments and callers: what a command could not see is never healthy, unchanged or absent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from hint_commands import command_error
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.drift.environment_drift import DeployedEnvironment, read_drift
from neuron_cluster.drift.records import Drift, EnvironmentDrift
from neuron_cluster.drift.records import Severity as DriftSeverity
from neuron_cluster.plan.stack_table import stack_keys_of_deploy
from neuron_cluster.protocol.status import StatusLine, Verdict
from neuron_cluster.status.environment_status import EnvironmentStatus, read_status
from tests.golden_stacks import GOLDEN
from tests.recorded_calls import CallName, RecordedCalls

from .conftest import CHECKOUT, FOLDERS, Deployed, Environment

pytestmark = pytest.mark.slow
MANY = 200
FEW, QUICK = 25, ("workstation", "slurm-storage")
OTHERS = {"existing-vpc", "research-teams", "__pycache__"}
"""Not deployed here: a VPC that exists before, and a stack of charts only."""
EVERY = tuple(sorted(each.name for each in GOLDEN.iterdir() if each.is_dir() and each.name not in OTHERS))
ANYWHERE = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}


def open_bucket(environment: Environment, name: str) -> None:
    environment.client("s3").delete_public_access_block(Bucket=name)


def disable_actions(environment: Environment, name: str) -> None:
    environment.client("cloudwatch").disable_alarm_actions(AlarmNames=[name])


def open_ssh(environment: Environment, name: str) -> None:
    environment.client("ec2").authorize_security_group_ingress(GroupId=name, IpPermissions=[ANYWHERE])


def disable_key(environment: Environment, name: str) -> None:
    environment.client("kms").disable_key(KeyId=name)


def shorten_logs(environment: Environment, name: str) -> None:
    environment.client("logs").put_retention_policy(logGroupName=name, retentionInDays=1)


BREAKS: dict[str, Callable[[Environment, str], None]] = {
    "AWS::S3::Bucket": open_bucket,
    "AWS::CloudWatch::Alarm": disable_actions,
    "AWS::EC2::SecurityGroup": open_ssh,
    "AWS::KMS::Key": disable_key,
    "AWS::Logs::LogGroup": shorten_logs,
}
"""Changes by hand, by type, each of the first resource of its type in the stacks."""


class Broken:
    """A deployed environment with changes by hand, and what the commands report of it without a denied call."""

    def __init__(self, environment: Environment, root: Path) -> None:
        self.environment, self.plan, self.calls = environment, environment.plan, RecordedCalls(environment.aws)
        self.project = root / self.plan.name
        for folder in FOLDERS:
            shutil.copytree(folder, self.project / "environments", dirs_exist_ok=True)
        shutil.copy(CHECKOUT / "cdk.json", self.project / "cdk.json")
        for file in (self.project / "environments").glob("*.yaml"):
            if file.stem != self.plan.name:
                file.unlink()
        self._break()
        with self.calls.without(()) as made:
            self.status, self.drift = self.read_status(), self.read_drift()
        self.made: list[CallName] = sorted(made)

    def _break(self) -> None:
        done: set[str] = set()
        for part in self.plan.stacks:
            held = self.environment.client("cloudformation").describe_stack_resources(
                StackName=self.plan.stack_name(part)
            )
            for row in held["StackResources"]:
                if row["ResourceType"] in BREAKS.keys() - done:
                    done.add(row["ResourceType"])
                    BREAKS[row["ResourceType"]](self.environment, row["PhysicalResourceId"])

    @cached_property
    def at(self) -> datetime:
        return datetime.now(UTC)

    def read_status(self) -> EnvironmentStatus:
        plan, aws = self.plan, self.environment.aws
        access = local_destination(aws.endpoint, plan.account, plan.region)
        return read_status(plan, access, load_catalog(), at=self.at, argument=plan.name, of_file=lambda _deployed: None)

    def read_drift(self) -> EnvironmentDrift:
        names = [self.plan.stack_name(stack_key) for stack_key in stack_keys_of_deploy()]
        deployed = DeployedEnvironment(self.environment.target, self.plan.account, names, load_catalog())
        return read_drift(self.plan.name, deployed, self.at)


@pytest.fixture(scope="module")
def broken(deployed: Deployed, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Broken]:
    """``broken("workstation")``: each is deployed once."""
    made: dict[str, Broken] = {}
    root = tmp_path_factory.mktemp("projects")

    def get(name: str) -> Broken:
        if name not in made:
            made[name] = Broken(deployed(name), root)
        return made[name]

    return get


def lines_of(status: EnvironmentStatus, *verdicts: Verdict) -> set[tuple[str, str, Verdict]]:
    return {
        (section.title, line.subject, line.verdict)
        for section in status.sections
        for line in section.lines
        if line.verdict in verdicts
    }


def is_actionable(line: StatusLine) -> bool:
    return bool(line.cause) and {command_error(each) for each in line.command.split(" && ")} == {""}


def require_honest_status(broken: Broken, denied: Collection[CallName]) -> None:
    with broken.calls.without(denied) as made:
        partly = broken.read_status()
    whole = broken.status
    seen = lines_of(whole, *Verdict)
    assert lines_of(partly, Verdict.HEALTHY, Verdict.ERROR, Verdict.WARNING) <= seen, "nothing is worse, better or gone"
    silent = {title for title, _, _ in lines_of(partly, Verdict.NOT_READ)}
    lost = {title for title, subject, verdict in seen - lines_of(partly, *Verdict)}
    assert lost <= silent, "a section without all of its lines has one that was not read"
    assert [line for line in partly.lines if line.verdict is not Verdict.HEALTHY and not is_actionable(line)] == []
    assert partly.exit_status(Verdict.WARNING) != 0
    assert not (made & set(denied)) or silent or partly == whole


def names(drift: Drift) -> set[str]:
    """The names that a difference would have among what was not compared."""
    resource = f"{drift.stack}/{drift.logical_id}"
    return {drift.stack, resource, f"{resource}/{drift.property.split('/')[1] if drift.property else ''}"}


def require_honest_drift(broken: Broken, denied: Collection[CallName]) -> None:
    with broken.calls.without(denied):
        try:
            partly = broken.read_drift()
        except AwsApiError as error:
            if error.is_denied:  # `drift` ends with the error
                return
            raise
    whole = broken.drift
    assert [drift for drift in partly.drifts if drift not in whole.drifts] == []
    listed = {name for part in partly.uncompared for name in part.resources}
    assert [drift for drift in whole.drifts if drift not in partly.drifts and not names(drift) & listed] == []
    assert partly.exit_status(DriftSeverity.WARNING) != 0


def require_honest_list(broken: Broken, denied: Collection[CallName], capsys: pytest.CaptureFixture[str]) -> None:
    given = ["list", "--local", "--status", "--format", "json", "--project", str(broken.project)]
    capsys.readouterr()
    with announced(broken.project, broken.environment.aws.endpoint), broken.calls.without(denied):
        exit_status = main(given)
    document: Any = json.loads(capsys.readouterr().out)
    found = {each["environment"]: each.get("health") for each in document.get("deployed", ())}
    assert exit_status == 1 or broken.plan.name in found, "an environment is absent only where that could not be read"
    assert found.get(broken.plan.name) != "healthy"


@pytest.mark.parametrize(
    ("environments", "examples"),
    [
        pytest.param(QUICK, FEW, id="few"),
        pytest.param(EVERY, FEW, id="25", marks=pytest.mark.exhaustive),
        pytest.param(EVERY, MANY, id="200", marks=pytest.mark.exhaustive),
    ],
)
def test_no_command_calls_what_it_could_not_see_healthy_unchanged_or_absent(
    environments: tuple[str, ...],
    examples: int,
    broken: Callable[[str], Broken],
    capsys: pytest.CaptureFixture[str],
) -> None:
    @settings(
        max_examples=examples, deadline=None, derandomize=examples < MANY, suppress_health_check=list(HealthCheck)
    )
    @given(st.sampled_from(environments), st.sampled_from(["status", "drift", "list --status"]), st.data())
    def commands_are_honest(name: str, command: str, data: st.DataObject) -> None:
        one = broken(name)
        denied = data.draw(st.sets(st.sampled_from(one.made), min_size=1))
        note(f"{command} {name}")
        if command == "status":
            require_honest_status(one, denied)
        elif command == "drift":
            require_honest_drift(one, denied)
        else:
            require_honest_list(one, denied, capsys)

    commands_are_honest()
