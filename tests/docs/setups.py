"""Requirements of pages on a folder: a block names it in a comment before, `<!-- setup: NAME -->`."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import yaml

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import announced, make_named_resources, running_endpoint
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.pipeline import check_environment
from tests.docs.blocks import ROOT
from tests.five_teams import written_with_teams
from tests.golden_stacks import deploy_goldens

FIXTURES = ROOT / "tests" / "fixtures"


def my_cluster(project: Path, _: ExitStack) -> None:
    text = (ROOT / "environments" / "train-trn1.yaml").read_text(encoding="utf-8")
    _write(project, "environments/my-cluster.yaml", text.replace("name: train-trn1\n", "name: my-cluster\n"))


def file_of_the_readme(project: Path, _: ExitStack) -> None:
    """The first YAML block of README.md."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    _write(project, "environments/my-cluster.yaml", page.partition("```yaml\n")[2].partition("```")[0])


def two_wrong_values(project: Path, _: ExitStack) -> None:
    text = (project / "environments" / "my-cluster.yaml").read_text(encoding="utf-8")
    wrong = text.replace("type: trn1.32xlarge", "type: trn1.32xlarg").replace("efa: efa", 'efa: "on"')
    _write(project, "environments/my-cluster.yaml", wrong)


def two_regions(project: Path, _: ExitStack) -> None:
    shutil.copytree(FIXTURES / "two_regions" / "environments", project / "environments", dirs_exist_ok=True)


def llama(project: Path, _: ExitStack) -> None:
    folder = project / "llama-3.1-8b"
    folder.mkdir()
    shutil.copy(FIXTURES / "models" / "llama-3.1-8b.json", folder / "config.json")


def teams(project: Path, _: ExitStack) -> None:
    """train-trn1 with the teams of the first block of docs/teams.md."""
    page = (ROOT / "docs" / "teams.md").read_text(encoding="utf-8")
    block = page[page.index("    teams:\n") :].split("\n\n", 1)[0]
    written_with_teams(project / "environments", yaml.safe_load(textwrap.dedent(block))["teams"])


def deployed(project: Path, until_the_end_of_the_page: ExitStack) -> None:
    """Starts a local AWS that has train-trn1, without its charts."""
    aws = until_the_end_of_the_page.enter_context(product_local_aws())
    until_the_end_of_the_page.enter_context(announced(project, aws.endpoint))
    plan = check_environment(project / "environments" / "train-trn1.yaml").require_plan()
    destination = local_destination(aws.endpoint, plan.account, plan.region)
    bootstrap_if_needed(ROOT, destination, lambda _: None)
    make_named_resources(aws.endpoint, plan)
    deploy_goldens(destination.target, plan)


def changed_by_hand(project: Path, until_the_end_of_the_page: ExitStack) -> None:
    """Deletes an add-on, suspends the versions of the bucket, and lets an alarm fire."""
    endpoint = running_endpoint(project)
    assert endpoint is not None
    target = LocalTarget("us-west-2", "111122223333", endpoint)
    until_the_end_of_the_page.callback(close_clients, target)
    client(target, "eks").delete_addon(clusterName="train-trn1", addonName="coredns")
    (bucket,) = [each for each in client(target, "s3").list_buckets()["Buckets"] if "checkpoints" in each["Name"]]
    client(target, "s3").put_bucket_versioning(Bucket=bucket["Name"], VersioningConfiguration={"Status": "Suspended"})
    client(target, "cloudwatch").set_alarm_state(
        AlarmName="train-trn1-ecc-events", StateValue="ALARM", StateReason="1 datapoint was greater than 0"
    )


def new_account(project: Path, until_the_end_of_the_page: ExitStack) -> None:
    """Starts the local AWS of `neuron-cluster local --fresh-account`."""
    aws = until_the_end_of_the_page.enter_context(product_local_aws(is_fresh_account=True))
    until_the_end_of_the_page.enter_context(announced(project, aws.endpoint, is_fresh_account=True))


def prepared_account(project: Path, until_the_end_of_the_page: ExitStack) -> None:
    """Does in the account of the page what a preflight of train-trn1 asks for."""
    endpoint = running_endpoint(project)
    assert endpoint is not None
    target = LocalTarget("us-west-2", "111122223333", endpoint)
    until_the_end_of_the_page.callback(close_clients, target)
    client(target, "ssm").put_parameter(Name="/cdk-bootstrap/hnb659fds/version", Value="32", Type="String")
    for code in ("L-1216C47A", "L-2C3B7624"):
        client(target, "service-quotas").request_service_quota_increase(
            ServiceCode="ec2", QuotaCode=code, DesiredValue=4096
        )
    make_named_resources(endpoint, check_environment(project / "environments" / "train-trn1.yaml").require_plan())


SETUPS: dict[str, Callable[[Path, ExitStack], None]] = {
    "the file of the README": file_of_the_readme,
    "my-cluster": my_cluster,
    "two wrong values": two_wrong_values,
    "two Regions": two_regions,
    "llama-3.1-8b": llama,
    "teams": teams,
    "a new account on the local AWS": new_account,
    "an account that is ready for train-trn1": prepared_account,
    "train-trn1 on the local AWS": deployed,
    "train-trn1 changed by hand": changed_by_hand,
}


def _write(project: Path, name: str, text: str) -> None:
    (project / name).write_text(text, encoding="utf-8")
