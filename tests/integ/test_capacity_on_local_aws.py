"""`capacity` against a local AWS: what is offered, what can be bought, and what cannot be asked."""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.pipeline import check_environment
from tests.json_outputs import assert_has_format

pytestmark = pytest.mark.slow
CHECKOUT = Path(__file__).parents[2]
ACCOUNT, REGIONS = "111122223333", ("us-east-2", "ap-south-2")
COMMAND = (sys.executable, "-m", "neuron_cluster.cli.main", "capacity")
SEARCH = ("search", "--type", "trn2.48xlarge", "--region", ",".join(REGIONS))


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Ran]


@pytest.fixture
def command(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Ran:
        given = ["capacity", *arguments, "--project", str(project)]
        status = main(given)
        captured = capsys.readouterr()
        assert_has_format(given, captured.out)
        return Ran(status, captured.out, captured.err)

    return run


@pytest.fixture
def played(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalAws]:
    """AWS is played by the local AWS, which the command does not know to be one."""
    for region in REGIONS:
        close_clients(AwsTarget(region))
    monkeypatch.setattr(aws.store, "is_named", False)
    for name, value in aws.environment(ACCOUNT, REGIONS[0]).items():
        monkeypatch.setenv(name, value)
    yield aws
    for region in REGIONS:
        close_clients(AwsTarget(region))


def test_offers_of_all_regions_are_sorted_by_the_price_of_a_chip_hour(command: Command, played: LocalAws) -> None:
    ran = command(*SEARCH, "--count", "16", "--duration", "7d", "--format", "json")
    assert ran.status == 0
    offers = ran.document["offers"]
    assert {offer["region"] for offer in offers} == set(REGIONS)
    assert {offer["zone_id"] for offer in offers} >= {"use2-az1", "aps2-az1"}
    prices = [offer["per_device_hour"] for offer in offers]
    assert prices == sorted(prices)
    assert {(offer["instances"], offer["total"]) for offer in offers} == {(16, 96122.88)}
    # a block that starts now is as long as the time of day makes it
    assert {offer["per_device_hour"] for offer in offers if offer["hours"] == 168} == {2.235}
    assert ran.document["query"]["hours"] == 168
    assert ran.document["failed_regions"] == []
    assert "us-east-2: " in ran.err


def test_without_a_region_those_of_the_catalog_are_asked(command: Command, played: LocalAws) -> None:
    ran = command("search", "--type", "trn2.48xlarge", "--format", "json")
    assert set(ran.document["query"]["regions"]) == set(REGIONS)
    assert ran.document["offers"]


def test_days_choose_among_the_offers(command: Command, played: LocalAws) -> None:
    offers = command(*SEARCH, "--format", "json").document["offers"]
    first, last = max(offer["start"] for offer in offers)[:10], min(offer["end"] for offer in offers)[:10]
    later = command(*SEARCH, "--from", first, "--format", "json").document["offers"]
    sooner = command(*SEARCH, "--until", last, "--format", "json").document["offers"]
    assert {offer["start"][:10] for offer in later} == {first}
    assert {offer["end"][:10] for offer in sooner} == {last}
    assert 0 < len(later) < len(offers)


def test_the_text_fits_80_columns_and_ends_with_the_purchase_and_the_lines(command: Command, played: LocalAws) -> None:
    ran = command(*SEARCH, "--count", "16")
    assert ran.status == 0
    assert max(map(len, (ran.out + ran.err).splitlines())) <= 80
    for text in ("aws ec2 purchase-capacity-block", "nothing was bought", "kind: capacity_block", "cannot be undone"):
        assert text in " ".join(ran.out.split())


def test_what_is_bought_with_the_printed_command_runs_the_environment(
    command: Command, aws: LocalAws, project: Path, tmp_path: Path
) -> None:
    """The offering that stands first, bought from a local AWS that is kept, gives the reservation of the group."""
    with announced(project, aws.endpoint):
        ran = command("offers", "train-trn2", "--local", "--duration", "1d", "--format", "json")
    (group,) = ran.document["groups"]
    assert (group["name"], group["zone_ids"], group["query"]["count"]) == ("trn2", ["use2-az3"], 4)
    assert {offer["zone_id"] for offer in group["offers"]} == {"use2-az3"}
    assert {offer["zone_id"] for offer in group["elsewhere"]} == {"use2-az1", "use2-az2"}
    arguments = shlex.split(group["offers"][0]["purchase"])
    given = dict(zip(arguments[3::2], arguments[4::2], strict=True))
    assert given["--endpoint-url"] == aws.endpoint
    target = LocalTarget(given["--region"], ACCOUNT, given["--endpoint-url"])
    tags = re.findall(r"{Key=([^,]+),Value=([^}]+)}", given["--tag-specifications"])
    bought = client(target, "ec2").purchase_capacity_block(
        CapacityBlockOfferingId=given["--capacity-block-offering-id"],
        InstancePlatform=given["--instance-platform"],
        TagSpecifications=[
            {"ResourceType": "capacity-reservation", "Tags": [{"Key": key, "Value": value} for key, value in tags]}
        ],
    )["CapacityReservation"]
    close_clients(target)
    assert (bought["InstanceType"], bought["TotalInstanceCount"]) == ("trn2.48xlarge", 4)
    assert bought["Tags"] == [{"Key": "neuron-cluster:environment", "Value": "train-trn2"}]

    environment = yaml.safe_load((project / "environments" / "train-trn2.yaml").read_text())
    environment["eks"]["node_groups"][1]["capacity"]["reservation_id"] = bought["CapacityReservationId"]
    edited = tmp_path / "train-trn2.yaml"
    edited.write_text(yaml.safe_dump(environment))
    eks = check_environment(edited).require_plan().kubernetes
    assert eks is not None
    assert eks.node_groups[1].machine.purchase.reservation_id == bought["CapacityReservationId"]


def test_the_printed_command_buys_a_training_plan_for_its_target(
    command: Command, aws: LocalAws, project: Path
) -> None:
    with announced(project, aws.endpoint):
        found = command(*SEARCH, "--count", "2", "--duration", "2d", "--local", "--format", "json").document
    plans = found["training_plans"]
    assert (plans["query"]["instance_type"], plans["unread"]) == ("ml.trn2.48xlarge", [])
    assert {(each["region"], each["target"]) for each in plans["offers"]} == {
        (region, target) for region in REGIONS for target in ("hyperpod-cluster", "training-job")
    }
    first = plans["offers"][0]
    arguments = shlex.split(first["purchase"])
    given = dict(zip(arguments[3::2], arguments[4::2], strict=True))
    target = LocalTarget(given["--region"], ACCOUNT, given["--endpoint-url"])
    sagemaker = client(target, "sagemaker")
    arn = sagemaker.create_training_plan(
        TrainingPlanName=given["--training-plan-name"], TrainingPlanOfferingId=given["--training-plan-offering-id"]
    )["TrainingPlanArn"]
    plan = sagemaker.describe_training_plan(TrainingPlanName=arn)
    close_clients(target)
    assert (plan["TargetResources"], plan["TotalInstanceCount"]) == ([first["target"]], 2)
    assert float(plan["UpfrontFee"]) == first["total"]
    assert plan["ReservedCapacitySummaries"][0]["AvailabilityZoneId"] == first["capacities"][0]["zone_id"]


def test_denied_training_plans_are_reported_below_the_blocks(command: Command, played: LocalAws) -> None:
    with played.faults.access_denied("sagemaker", "SearchTrainingPlanOfferings"):
        ran = command(*SEARCH)
    said = " ".join(ran.out.split())
    assert ran.status == 0
    assert "aws ec2 purchase-capacity-block" in said
    for region in REGIONS:
        assert f"{region}: training plans for hyperpod-cluster and training-job were not read: access denied" in said


@pytest.mark.exhaustive
def test_a_local_aws_that_ends_with_the_command_sells_nothing(project: Path) -> None:
    ran = subprocess.run(
        [*COMMAND, "offers", "train-trn2", "--local", "--project", str(project)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0
    assert "use2-az3" in ran.stdout
    assert "purchase-capacity-block" not in ran.stdout
    assert "`neuron-cluster local`" in " ".join(ran.stdout.split())


def test_no_offering_is_an_answer_that_says_where_the_type_is(command: Command, played: LocalAws) -> None:
    ran = command("search", "--type", "trn2.48xlarge", "--region", "us-west-2")
    close_clients(AwsTarget("us-west-2"))
    said = " ".join(ran.out.split())
    assert ran.status == 0
    assert "No offering of 1 x trn2.48xlarge for 7d in us-west-2." in said
    assert "ap-south-2, us-east-2; not in us-west-2" in said


def test_ctrl_c_ends_it_without_a_traceback(project: Path) -> None:
    """While AWS takes its time to answer."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        process = subprocess.Popen(
            [*COMMAND, *SEARCH],
            cwd=CHECKOUT,
            env={
                "PATH": "/usr/bin:/bin",
                "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
                "AWS_ACCESS_KEY_ID": ACCOUNT,
                "AWS_SECRET_ACCESS_KEY": "none",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        connection, _ = silent.accept()  # it has asked
        with connection:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "interrupted"
    assert "Traceback" not in err
