"""The JSON of the queries of `capacity` has every property that its schemas describe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.session import AwsTarget, client, close_clients
from tests.json_outputs import FORMAT, accepted_mutations, unseen
from tests.recorded_offerings import CALL, add_offers
from tests.recorded_plans import CALL as PLAN_CALL
from tests.recorded_plans import add_no_plan, add_plans

from .conftest import Command

REGIONS = ("us-east-2", "ap-south-2")
Stubs = Mapping[str, Stubber]


@pytest.fixture
def stubs() -> Iterator[Stubs]:
    """The EC2 clients of the Regions, which answer what a test adds."""
    yield from stubs_of("ec2")


@pytest.fixture
def plans() -> Iterator[Stubs]:
    """The SageMaker clients of the Regions."""
    yield from stubs_of("sagemaker")


def stubs_of(service: str) -> Iterator[Stubs]:
    found = {region: Stubber(client(AwsTarget(region), service)) for region in REGIONS}
    for stub in found.values():
        stub.activate()
    yield found
    for region in REGIONS:
        close_clients(AwsTarget(region))


def test_every_property_of_a_search_is_printed(command: Command, stubs: Stubs, plans: Stubs) -> None:
    add_offers(stubs["us-east-2"], "30", "10")
    stubs["ap-south-2"].add_client_error(CALL, "UnauthorizedOperation", "by an organization's policy")
    add_no_plan(plans["us-east-2"])
    add_plans(plans["us-east-2"], stubs["us-east-2"], "training-job", "7")
    for _ in ("hyperpod-cluster", "training-job"):
        plans["ap-south-2"].add_client_error(PLAN_CALL, "AccessDeniedException", "by the same policy")
    found = command("capacity", "search", "--type", "trn2.48xlarge", *FORMAT).document
    assert unseen("capacity search", [found]) == []
    assert accepted_mutations("capacity search", found) == []
    assert [offer["total"] for offer in found["offers"]] == [10.0, 30.0]
    assert found["failed_regions"][0]["region"] == "ap-south-2"
    (plan,) = found["training_plans"]["offers"]
    assert (plan["target"], plan["total"], plan["capacities"][0]["zone_id"]) == ("training-job", 7.0, "use2-az3")
    assert {each["region"] for each in found["training_plans"]["unread"]} == {"ap-south-2"}


def test_a_type_without_plans_has_no_key_for_them_and_sagemaker_is_not_asked(command: Command, stubs: Stubs) -> None:
    add_offers(stubs["ap-south-2"], "30")
    ran = command("capacity", "search", "--type", "trn2.3xlarge", "--region", "ap-south-2", *FORMAT)
    assert [*ran.document] == ["query", "doubt", "offers", "failed_regions"]
    assert "training plans" not in ran.err


def test_a_failing_sagemaker_does_not_lose_the_blocks(command: Command, stubs: Stubs, plans: Stubs) -> None:
    add_offers(stubs["us-east-2"], "30")
    for _ in ("hyperpod-cluster", "training-job"):
        plans["us-east-2"].add_client_error(PLAN_CALL, "ResourceLimitExceeded", "the limit is 0")
    ran = command("capacity", "search", "--type", "trn2.48xlarge", "--region", "us-east-2")
    said = " ".join(ran.out.split())
    assert ran.status == 0
    assert "aws ec2 purchase-capacity-block" in said
    assert "us-east-2: training plans for hyperpod-cluster and training-job were not read" in said
    assert "L-867702E6" in said
    assert max(map(len, ran.out.splitlines())) <= 80


def test_plans_stand_below_the_blocks_by_target(command: Command, stubs: Stubs, plans: Stubs) -> None:
    add_offers(stubs["us-east-2"], "30")
    add_plans(plans["us-east-2"], stubs["us-east-2"], "hyperpod-cluster", "20", "10")
    add_no_plan(plans["us-east-2"])
    ran = command("capacity", "search", "--type", "trn2.48xlarge", "--region", "us-east-2")
    blocks, hyperpod = ran.out.split("Training plans for hyperpod-cluster: 1 x ml.trn2.48xlarge for 7d")
    assert "aws ec2 purchase-capacity-block" in blocks
    assert "--training-plan-offering-id tpo-10" in " ".join(hyperpod.replace("\\\n", "").split())
    assert "that takes 10.00 USD at once" in " ".join(hyperpod.split())
    assert "No training plan for training-job: 1 x ml.trn2.48xlarge for 7d in us-east-2." in " ".join(hyperpod.split())
    assert max(map(len, ran.out.splitlines())) <= 80


def test_every_property_of_the_offers_for_an_environment_is_printed(command: Command, stubs: Stubs) -> None:
    add_offers(stubs["us-east-2"], "30", "10", zone_ids=("use2-az3", "use2-az1"))
    found = command("capacity", "offers", "train-trn2", *FORMAT).document
    assert unseen("capacity offers", [found]) == []
    assert accepted_mutations("capacity offers", found) == []
    (group,) = found["groups"]
    assert [offer["zone_id"] for offer in (*group["offers"], *group["elsewhere"])] == ["use2-az3", "use2-az1"]
