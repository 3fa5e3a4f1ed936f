"""An account that was never used: refused before the first resource with commands, deployed after they were run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.bootstrap import DEFAULT_QUALIFIER, is_bootstrapped
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.pipeline import check_environment
from tests import existing_vpc

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from hinted_command import mending_commands, run_hinted

pytestmark = pytest.mark.slow
STANDARD = "L-1216C47A"
CODES = {
    "dev-inf2": {"L-1945791B", STANDARD},
    "dev-trn2": {"L-6B0D517C", STANDARD},
    "finetune-trn1": {"L-2C3B7624", STANDARD},
    "private-trn1": {"L-2C3B7624", STANDARD},
    "research-teams": {"L-1945791B", "L-2C3B7624", "L-6B0D517C", STANDARD},
    "serve-inf1": {"L-1945791B", STANDARD},
    "serve-trn2": {"L-2C3B7624", STANDARD},
    "slurm-trn1": {"L-2C3B7624"},
    "slurm-trn2-block": {STANDARD},
    "train-east": {"L-2C3B7624", STANDARD},
    "train-trn1": {"L-2C3B7624", STANDARD},
    "train-trn1n": {"L-2C3B7624", STANDARD},
    "train-trn2": {STANDARD},
    "train-trn2u": {STANDARD},
    "train-trn3": {STANDARD},
    "train-west": {"L-2C3B7624", STANDARD},
    "workstation": {"L-1945791B"},
    "hyperpod-slurm-trn1": set(),  # no instance is EC2's
    "sagemaker-finetune": set(),  # no instance is EC2's
    "hyperpod-trn2": {STANDARD},  # not the first of its quotas: git and helm build its chart
    "hyperpod-teams": {STANDARD},
}
"""Quotas that a new account has too little of, by environment. Blocks count against none of vCPUs."""
WITH_BUILT_CHART = {"hyperpod-teams", "hyperpod-trn2"}
"""git clones the source of its chart, and helm pushes it: no test has what they need."""
WITHOUT_PRINCIPALS = {"hyperpod-slurm-trn1", "sagemaker-finetune", "slurm-trn1", "slurm-trn2-block", "workstation"}
"""Without EKS no principal of the account has access."""
FIRST_OF_ITS_QUOTAS = {frozenset(codes): name for name, codes in reversed(CODES.items())}.values()

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def fresh(project: Path) -> Iterator[LocalAws]:
    """The running local AWS of the project, as `neuron-cluster local --fresh-account` starts it."""
    with (
        product_local_aws(principals_must_exist=True, is_fresh_account=True) as running,
        announced(project, running.endpoint, is_fresh_account=True),
    ):
        yield running


@pytest.fixture
def unused(fresh: LocalAws) -> LocalAws:
    fresh.empty()
    return fresh


def destination_of(project: Path, name: str, aws: LocalAws) -> Destination:
    plan = check_environment(project / "environments" / f"{name}.yaml").require_plan()
    return local_destination(aws.endpoint, plan.account, plan.region, is_fresh_account=True)


def mending(findings: list[dict[str, Any]]) -> list[str]:
    return mending_commands("\n".join(finding["hint"] for finding in findings))


def codes_in(commands: list[str]) -> set[str]:
    return {each.split("--quota-code ")[1].split()[0] for each in commands if "--quota-code" in each}


def test_the_table_has_every_environment(project: Path) -> None:
    assert {file.stem for file in (project / "environments").glob("*.yaml")} == CODES.keys() | existing_vpc.SHIPPED


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.exhaustive] * (name not in FIRST_OF_ITS_QUOTAS)) for name in CODES],
)
def test_it_is_refused_before_the_first_resource_with_every_quota(
    name: str, command: Command, project: Path, unused: LocalAws
) -> None:
    ran = command("deploy", "--local", name)
    assert ran.status == 1
    errors = [finding for finding in ran.document["findings"] if finding["severity"] == "error"]
    expected = {
        "E9503",
        *({"E9550"} if CODES[name] else ()),
        *({"E9552"} if name not in WITHOUT_PRINCIPALS else ()),
        *({"E9585"} if name in WITH_BUILT_CHART else ()),
    }
    assert {finding["id"] for finding in errors} == expected
    assert all(finding["line"] for finding in errors)
    assert codes_in(mending(ran.document["findings"])) == CODES[name]
    destination = destination_of(project, name, unused)
    assert client(destination.target, "cloudformation").describe_stacks()["Stacks"] == []
    close_clients(destination.target)


def test_diff_says_what_a_deploy_refuses(command: Command, unused: LocalAws) -> None:
    ran = command("diff", "--local", "workstation")
    assert ran.status == 1
    assert {"E9503", "E9550"} <= set(ran.ids)


def test_the_bootstrap_command_runs_in_a_repository_of_init_without_a_lock(
    command: Command, project: Path, unused: LocalAws, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The app that `cdk.json` names would stop: the VPC of the file is in no lock (E1042)."""
    folder = tmp_path / "clusters"
    given = ["--template", "existing-vpc", "--name", "mine", "--account", "111122223333", "--region", "us-west-2"]
    assert main(["init", str(folder), *given]) == 0
    capsys.readouterr()
    shutil.rmtree(folder / "environments" / "locks", ignore_errors=True)
    (folder / "node_modules").symlink_to(project / "node_modules")
    (line,) = [each for each in (folder / "README.md").read_text().splitlines() if "cdk bootstrap" in each]
    hinted = mending(command("deploy", "--local", "workstation").document["findings"])
    assert line.strip() in hinted
    destination = local_destination(unused.endpoint, "111122223333", "us-west-2", is_fresh_account=True)
    run_hinted(line.strip(), folder, destination)
    assert is_bootstrapped(destination, DEFAULT_QUALIFIER)
    close_clients(destination.target)


@pytest.mark.hints("E9503")
@pytest.mark.parametrize(
    "name",
    [
        name if name == "workstation" else pytest.param(name, marks=pytest.mark.exhaustive)
        for name in sorted(CODES.keys() - WITH_BUILT_CHART)
    ],
)
def test_it_deploys_after_the_commands_of_the_hints(
    name: str, command: Command, project: Path, unused: LocalAws
) -> None:
    destination = destination_of(project, name, unused)
    for mend in mending(command("deploy", "--local", name).document["findings"]):
        run_hinted(mend, project, destination)
    ran = command("deploy", "--local", name)
    assert ran.status == 0, ran.document["findings"]
    assert {stack["status"] for stack in ran.document["stacks"]} == {"CREATE_COMPLETE"}
    assert not {"W9551", "W9556"} & set(ran.ids), "what was asked for holds the largest sizes too"
    assert command("destroy", "--local", name, "--delete-data", name).status == 0
    close_clients(destination.target)


@pytest.mark.exhaustive
@pytest.mark.hints("E9581")
def test_an_edit_beyond_the_quota_of_elastic_ips_is_refused_before_it_is_deployed(
    command: Command, project: Path, unused: LocalAws
) -> None:
    """The same file needs nothing more, also with every address of the quota in use."""
    file = project / "environments" / "dev-inf2.yaml"
    destination = destination_of(project, "dev-inf2", unused)
    for mend in mending(command("deploy", "--local", "dev-inf2").document["findings"]):
        run_hinted(mend, project, destination)
    assert command("deploy", "--local", "dev-inf2").status == 0
    ec2 = client(destination.target, "ec2")
    while len(ec2.describe_addresses()["Addresses"]) < 5:
        ec2.allocate_address(Domain="vpc")
    again = command("diff", "--local", "dev-inf2")
    assert not {"E9581", "W9582"} & set(again.ids)
    text = file.read_text()
    file.write_text(text.replace("nat: single", "nat: per_zone"))
    try:
        refused = command("deploy", "--local", "dev-inf2")
        (found,) = [each for each in refused.document["findings"] if each["severity"] == "error"]
        assert (refused.status, found["id"], found["path"]) == (1, "E9581", "network.nat")
        for mend in mending([found]):
            run_hinted(mend, project, destination)
        assert command("deploy", "--local", "dev-inf2").status == 0
    finally:
        file.write_text(text)
    assert len([each for each in ec2.describe_nat_gateways()["NatGateways"] if each["State"] == "available"]) == 2
    close_clients(destination.target)
