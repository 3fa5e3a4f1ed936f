"""The JSON of the queries of `capacity` has every property that its schemas describe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.session import AwsTarget, client, close_clients
from tests.json_outputs import FORMAT, accepted_mutations, unseen
from tests.recorded_offerings import CALL, add_offers

from .conftest import Command

REGIONS = ("us-east-2", "ap-south-2")
Stubs = Mapping[str, Stubber]


@pytest.fixture
def stubs() -> Iterator[Stubs]:
    """The EC2 clients of the Regions, which answer what a test adds."""
    found = {region: Stubber(client(AwsTarget(region), "ec2")) for region in REGIONS}
    for stub in found.values():
        stub.activate()
    yield found
    for region in REGIONS:
        close_clients(AwsTarget(region))


def test_every_property_of_a_search_is_printed(command: Command, stubs: Stubs) -> None:
    add_offers(stubs["us-east-2"], "30", "10")
    stubs["ap-south-2"].add_client_error(CALL, "UnauthorizedOperation", "by an organization's policy")
    found = command("capacity", "search", "--type", "trn2.48xlarge", *FORMAT).document
    assert unseen("capacity search", [found]) == []
    assert accepted_mutations("capacity search", found) == []
    assert [offer["total"] for offer in found["offers"]] == [10.0, 30.0]
    assert found["failed_regions"][0]["region"] == "ap-south-2"


def test_every_property_of_the_offers_for_an_environment_is_printed(command: Command, stubs: Stubs) -> None:
    add_offers(stubs["us-east-2"], "30", "10", zone_ids=("use2-az3", "use2-az1"))
    found = command("capacity", "offers", "train-trn2", *FORMAT).document
    assert unseen("capacity offers", [found]) == []
    assert accepted_mutations("capacity offers", found) == []
    (group,) = found["groups"]
    assert [offer["zone_id"] for offer in (*group["offers"], *group["elsewhere"])] == ["use2-az3", "use2-az1"]
