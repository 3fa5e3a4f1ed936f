"""A project of its own with a local AWS, and the command run on it: what most of these tests begin with."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients
from neuron_cluster.aws.session import _clients as clients_made
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests.json_outputs import assert_has_format
from tests.kept_sources import SHARED, kept_sources  # noqa: F401 - a fixture

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
sys.path.insert(0, str(CHECKOUT / "tools"))  # for hint_commands
ACCOUNT, REGION = "111122223333", "us-west-2"


class Ran(NamedTuple):
    """The exit status of the command, its JSON document, and its other output."""

    status: int
    document: Any
    err: str

    @property
    def ids(self) -> list[str]:
        return [finding["id"] for finding in self.document["findings"]]


@pytest.fixture(scope="session")
def synthesis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of a process that has CDK loaded and synthesizes for every project that asks (``warm_synthesis``)."""
    from neuron_cluster.deploy.node import node_binary

    socket = tmp_path_factory.mktemp("synthesis") / "socket"
    with contextlib.ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, HERE / "warm_synthesis.py", socket],
                cwd=CHECKOUT,
                env=os.environ | {"JSII_NODE": str(node_binary()), "PYTHONPATH": str(CHECKOUT)},
                stdout=subprocess.PIPE,
            )
        )
        stack.callback(process.terminate)
        assert process.stdout is not None
        assert process.stdout.readline() == b"listening\n"
        yield socket


@pytest.fixture(scope="module")
def checkout_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of the checkout that a deploy reads; the environments are a copy. No running local AWS is met here."""
    root = tmp_path_factory.mktemp("project")
    for name in ("app.py", "cdk.json"):
        shutil.copy(CHECKOUT / name, root / name)
    for name in (*SHARED, "node_modules"):
        (root / name).symlink_to(CHECKOUT / name)
    shutil.copytree(CHECKOUT / "environments", root / "environments")
    return root


@pytest.fixture(scope="module")
def project(checkout_project: Path, synthesis: Path, warm_modules: Path, kept_sources: None) -> Path:  # noqa: F811
    """The same with an ``app.py`` and a CDK command that need not load CDK: other processes do their work."""
    (checkout_project / "app.py").rename(checkout_project / "checkout_app.py")
    shutil.copy(HERE / "warm_app.py", checkout_project / "app.py")
    (checkout_project / "synthesis.sock").symlink_to(synthesis)
    point(checkout_project / "node_modules", warm_modules)
    return checkout_project


@pytest.fixture
def cdk_of_its_own(project: Path, warm_modules: Path) -> Iterator[None]:
    """The CDK command is the installed one, a process of its own: to be used where it is interrupted."""
    point(project / "node_modules", CHECKOUT / "node_modules")
    yield
    point(project / "node_modules", warm_modules)


def point(link: Path, target: Path) -> None:
    link.unlink()
    link.symlink_to(target)


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    """A running local AWS that no project knows of."""
    with product_local_aws() as running:
        yield running


@pytest.fixture(scope="module")
def local_aws(project: Path, aws: LocalAws) -> Iterator[LocalAws]:
    """The running local AWS of the project."""
    with announced(project, aws.endpoint):
        yield aws


@pytest.fixture(scope="module")
def target(local_aws: LocalAws) -> Iterator[LocalTarget]:
    """The account and Region of most environments, in the local AWS of the project."""
    found = LocalTarget(REGION, ACCOUNT, local_aws.endpoint)
    yield found
    close_clients(found)


@pytest.fixture
def command(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs the command in this process on the project."""
    monkeypatch.setenv("CDK_VALIDATION", "false")

    def run(*arguments: str) -> Ran:
        given = [*arguments, "--format", "json", "--project", str(project)]
        status = main(given)
        captured = capsys.readouterr()
        assert_has_format(given, captured.out)
        return Ran(status, json.loads(captured.out), captured.err)

    return run


def _structure(text: str) -> dict[str, Any]:
    """JSON, or the shorthand of the AWS CLI: ``minSize=0,maxSize=2``."""
    if text.startswith("{"):
        return dict(json.loads(text))
    values = {"true": True, "false": False}
    pairs = (each.split("=") for each in text.split(","))
    return {name: values.get(value, int(value) if value.isdigit() else value) for name, value in pairs}


@pytest.fixture
def run_aws(target: LocalTarget) -> Callable[[str], None]:
    """Makes the call of a command of the AWS CLI that a hint names."""

    def run(command: str) -> None:
        name, service, operation, *options = shlex.split(command)
        off = {each.replace("--no-", "--"): False for each in options if each.startswith("--no-")}
        valued = [each for each in options if not each.startswith("--no-")]
        given: dict[str, Any] = {**dict(zip(valued[::2], valued[1::2], strict=True)), **off}
        assert name == "aws"
        assert (given.pop("--region"), given.pop("--endpoint-url")) == (REGION, target.endpoint)
        call = client(target, "s3" if service == "s3api" else service)
        method = operation.replace("-", "_")
        shape = call.meta.service_model.operation_model(call.meta.method_to_api_mapping[method]).input_shape
        spelled = {each.lower(): each for each in shape.members}
        names = {key: spelled[key.strip("-").replace("-", "")] for key in given}
        lists = {key for key, member in names.items() if shape.members[member].type_name == "list"}
        shorthand = {key for key, member in names.items() if shape.members[member].type_name == "structure"}
        for key in shorthand:
            given[key] = _structure(given[key])
        getattr(call, method)(**{names[key]: [value] if key in lists else value for key, value in given.items()})

    return run


@pytest.fixture
def run_small(command: Callable[..., Ran], project: Path, target: LocalTarget) -> Callable[..., Any]:
    """Writes this text as the environment ``small`` and runs a verb on it, which must end well; its document."""

    def run(text: str, verb: str = "deploy") -> Any:
        (project / "environments" / "small.yaml").write_text(text)
        ran = command(verb, "--local", "small")
        assert ran.status == 0, ran.document
        return ran.document

    return run


@pytest.fixture
def log_in(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """From now on the local AWS plays AWS, and the user's credentials are those of this account."""
    variables: dict[str, str] = {}

    def use(account: str) -> None:
        if variables == aws.environment(account, REGION):
            return  # clients of these credentials exist: making one takes longer than most calls
        close_clients(AwsTarget(REGION))
        monkeypatch.setattr(aws.store, "is_named", False)
        variables.clear()
        variables.update(aws.environment(account, REGION))
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    yield use
    close_clients(AwsTarget(REGION))
    left = [target for target, _ in clients_made if isinstance(target, AwsTarget)]
    assert left == [], "they would call the server of these tests in those of the next module"
