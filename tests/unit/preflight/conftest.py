"""Environments of an account that is no placeholder, and a local AWS whose accounts were never used."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.environment_preflight import environment_preflight
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.deploy.preflight.results import EnvironmentPreflight
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.opened_environment import OpenedEnvironment, opened_environment
from neuron_cluster.plan.placeholders import PLACEHOLDER_RESERVATION
from neuron_cluster.planning.build_vcpu_use import build_vcpu_use
from tests.existing_vpc import ALL_EXISTING, write_lock_of
from tests.json_outputs import assert_has_format

CHECKOUT = Path(__file__).parents[3]
sys.path.insert(0, str(CHECKOUT / "tools"))  # for hinted_command
from rule_fixture import Case  # noqa: E402

ACCOUNT, REGION, PLACEHOLDER = "314159265358", "us-west-2", "111122223333"
SHIPPED = ("dev-inf2", "train-trn1", "slurm-trn1", "train-trn2")
EXISTING = "existing"
"""train-trn1 with every part that can exist; nothing of it does."""
RESERVATION = "cr-0aaaabbbbccccdddd"
"""In the place of the id of the examples, which no account is asked for."""
PARAMETER = "/cdk-bootstrap/hnb659fds/version"


class Ran(NamedTuple):
    """Exit status and output of a command."""

    exit: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict on each check."""
        return {check["what"]: check["verdict"] for part in self.document["parts"] for check in part["checks"]}


class Account(NamedTuple):
    """The account of the environments."""

    aws: LocalAws
    project: Path

    region: str = REGION

    @property
    def target(self) -> LocalTarget:
        return LocalTarget(self.region, ACCOUNT, self.aws.endpoint)

    def client(self, service: str) -> Any:
        return client(self.target, service)

    def opened(self, name: str, *, is_local: bool = True) -> OpenedEnvironment:
        return opened_environment(name, str(self.project), is_local=is_local)

    def preflight(self, opened: OpenedEnvironment) -> EnvironmentPreflight:
        """The result, of a local AWS that is not prepared."""
        return environment_preflight(opened, self.destination, datetime.now(UTC))

    @property
    def destination(self) -> Destination:
        return local_destination(self.aws.endpoint, ACCOUNT, self.region, is_fresh_account=True)

    def make_ready(self, opened: OpenedEnvironment) -> None:
        """Creates what the hints of a new account name: bootstrap, quotas, principals."""
        self.client("ssm").put_parameter(Name=PARAMETER, Value="32", Type="String", Overwrite=True)
        quotas = self.client("service-quotas")
        for use in build_vcpu_use(opened.plan, opened.catalog):
            quotas.request_service_quota_increase(
                ServiceCode="ec2", QuotaCode=use.code, DesiredValue=use.maximum + 4000
            )
        for _, arn in (named for provider in opened.plan.providers for named in provider.principals()):
            self.client("iam").create_role(RoleName=arn.rpartition("/")[2], AssumeRolePolicyDocument=trust("eks"))

    @contextmanager
    def as_aws(self, key: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """Inside, the local AWS plays AWS for the holder of an access key, which IAM or STS returned."""
        close_clients(AwsTarget(REGION))
        monkeypatch.setattr(self.aws.store, "is_named", False)
        variables = self.aws.environment(ACCOUNT, REGION) | {
            "AWS_ACCESS_KEY_ID": key["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"],
        }
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield
        close_clients(AwsTarget(REGION))


def trust(service: str) -> str:
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": f"{service}.amazonaws.com"}}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    shutil.copy(CHECKOUT / "cdk.json", root / "cdk.json")
    (root / "environments").mkdir()
    for name in SHIPPED:
        text = (CHECKOUT / "environments" / f"{name}.yaml").read_text()
        (root / "environments" / f"{name}.yaml").write_text(
            text.replace(PLACEHOLDER, ACCOUNT).replace(PLACEHOLDER_RESERVATION, RESERVATION)
        )
    file = root / "environments" / f"{EXISTING}.yaml"
    text = Case("train-trn1", {"name": EXISTING, **ALL_EXISTING}).text()
    file.write_text(text.replace(PLACEHOLDER, ACCOUNT))
    write_lock_of(file, yaml.safe_load(file.read_text()))
    return root


@pytest.fixture(scope="module")
def aws(project: Path) -> Iterator[LocalAws]:
    with (
        product_local_aws(is_fresh_account=True, principals_must_exist=True) as running,
        announced(project, running.endpoint, is_fresh_account=True),
    ):
        yield running


@pytest.fixture
def account(aws: LocalAws, project: Path) -> Iterator[Account]:
    """An account without anything."""
    aws.empty()
    made = Account(aws, project)
    yield made
    close_clients(made.target)


Run = Callable[..., Ran]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], project: Path) -> Run:
    """``command("dev-inf2", "--format", "json")``: the command itself in this process."""

    def run(name: str, *arguments: str, local: bool = True) -> Ran:
        given = ["preflight", name, *(["--local"] if local else []), *arguments, "--project", str(project)]
        capsys.readouterr()
        exit_status = main(given)
        printed = capsys.readouterr()
        assert_has_format(given, printed.out)
        return Ran(exit_status, printed.out, printed.err)

    return run
