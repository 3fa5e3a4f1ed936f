"""Environments on a local AWS, deployed from their golden templates, and `status` of them."""

from __future__ import annotations

import functools
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import announced, make_named_resources
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.status import HeldResources, StatusQuery, Verdict
from neuron_cluster.status.document import status_as_data
from neuron_cluster.status.environment_status import read_status
from tests.golden_stacks import deploy_goldens
from tests.json_outputs import assert_has_format

CHECKOUT = Path(__file__).parents[3]
sys.path.insert(0, str(CHECKOUT / "tools"))  # for hinted_command
FOLDERS = (CHECKOUT / "environments", CHECKOUT / "tests" / "fixtures" / "environments")


class Line(NamedTuple):
    """A line of the JSON document."""

    section: str
    subject: str
    verdict: str
    cause: str
    command: str | None


class Status(NamedTuple):
    """The document that the command printed, and its exit status."""

    exit: int
    document: Any

    @property
    def lines(self) -> list[Line]:
        return [
            Line(section["title"], *(line[key] for key in Line._fields[1:]))
            for section in self.document["sections"]
            for line in section["lines"]
        ]

    @property
    def healthy(self) -> list[Line]:
        return [line for line in self.lines if line.verdict == "healthy"]

    @property
    def others(self) -> list[Line]:
        return [line for line in self.lines if line.verdict != "healthy"]


class Environment(NamedTuple):
    """A deployed environment, and the local AWS that has it."""

    aws: LocalAws
    project: Path
    plan: ClusterPlan
    target: LocalTarget

    def client(self, service: str) -> Any:
        return client(self.target, service)


def query_of(environment: Environment) -> StatusQuery:
    """The input of a part of `status`, without resources of stacks."""
    plan = environment.plan
    access = local_destination(environment.aws.endpoint, plan.account, plan.region)
    return StatusQuery(plan, access, load_catalog(), datetime.now(UTC), HeldResources({}), plan.name)


Deployed = Callable[..., Environment]
Read = Callable[..., Status]


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, aws: LocalAws) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("project")
    shutil.copy(CHECKOUT / "cdk.json", root / "cdk.json")
    for folder in FOLDERS:
        shutil.copytree(folder, root / "environments", dirs_exist_ok=True)
    with announced(root, aws.endpoint):
        yield root


@pytest.fixture(scope="module")
def deployed(aws: LocalAws, project: Path) -> Iterator[Deployed]:
    """``deployed("dev-inf2")``; with ``parts`` only these stacks."""
    targets: list[LocalTarget] = []

    def deploy(name: str, parts: tuple[str, ...] | None = None) -> Environment:
        plan = check_environment(project / "environments" / f"{name}.yaml").require_plan()
        target = LocalTarget(plan.region, plan.account, aws.endpoint)
        targets.append(target)
        destination = local_destination(aws.endpoint, plan.account, plan.region)
        bootstrap_if_needed(CHECKOUT, destination, lambda _: None)
        make_named_resources(aws.endpoint, plan)
        deploy_goldens(target, plan, parts)
        return Environment(aws, project, plan, target)

    yield deploy
    for target in targets:
        close_clients(target)


@functools.cache
def plan_of(file: Path, _text: str) -> ClusterPlan:
    """The plan of a file with this text."""
    return check_environment(file).require_draft()


@pytest.fixture
def read(aws: LocalAws, project: Path) -> Read:
    """``read("dev-inf2")``: the state without the part about the file, as its JSON document."""

    def run(name: str, fail_on: Verdict = Verdict.WARNING) -> Status:
        file = project / "environments" / f"{name}.yaml"
        plan = plan_of(file, file.read_text())
        access = local_destination(aws.endpoint, plan.account, plan.region)
        status = read_status(
            plan, access, load_catalog(), at=datetime.now(UTC), argument=name, of_file=lambda _deployed: None
        )
        return Status(status.exit_status(fail_on), status_as_data(status))

    return run


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], project: Path) -> Read:
    """``command("dev-inf2", "--fail-on", "error")``: the command itself in this process."""

    def run(name: str, *arguments: str) -> Status:
        given = ["status", "--local", name, *arguments, "--format", "json", "--project", str(project)]
        capsys.readouterr()
        exit_status = main(given)
        printed = capsys.readouterr().out
        assert_has_format(given, printed)
        return Status(exit_status, json.loads(printed))

    return run
