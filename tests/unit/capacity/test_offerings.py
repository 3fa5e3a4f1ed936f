"""Regions are asked one after another; one that refuses is named and the others are shown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.capacity.offerings import find_offerings
from neuron_cluster.capacity.query import CapacityBlockQuery
from neuron_cluster.errors import ToolkitError
from tests.recorded_offerings import CALL, add_offers

from .offers import TRN2

pytestmark = pytest.mark.slow

TODAY = date(2026, 11, 21)
TARGETS = [LocalTarget(region, "111122223333", "http://127.0.0.1:9") for region in ("us-east-2", "ap-south-2")]
QUERY = CapacityBlockQuery(TRN2, 1, 24)


@pytest.fixture
def stubs() -> Iterator[list[Stubber]]:
    stubs = [Stubber(client(target, "ec2")) for target in TARGETS]
    for stub in stubs:
        stub.activate()
    yield stubs
    for target in TARGETS:
        close_clients(target)


def test_offers_of_all_regions_stand_in_one_order(stubs: list[Stubber]) -> None:
    add_offers(stubs[0], "30", "10")
    add_offers(stubs[1], "20")
    found = find_offerings(QUERY, TARGETS, TODAY, lambda _: None)
    assert [(each.region, each.offering.id) for each in found.offers] == [
        ("us-east-2", "cb-10"),
        ("ap-south-2", "cb-20"),
        ("us-east-2", "cb-30"),
    ]


def test_a_region_that_refuses_is_named_and_the_others_are_shown(stubs: list[Stubber]) -> None:
    stubs[0].add_client_error(CALL, "UnauthorizedOperation", "by an organization's policy")
    add_offers(stubs[1], "20")
    said: list[str] = []
    found = find_offerings(QUERY, TARGETS, TODAY, said.append)
    assert [each.region for each in found.offers] == ["ap-south-2"]
    (failed,) = found.failed
    assert (failed.region, "an organization's policy" in failed.message) == ("us-east-2", True)
    assert said == ["us-east-2: query failed", "ap-south-2: 1 offering"]


def test_when_nobody_answers_the_reasons_are_told_by_region(stubs: list[Stubber]) -> None:
    stubs[0].add_client_error(CALL, "UnauthorizedOperation", "by an organization's policy")
    stubs[1].add_client_error(CALL, "OptInRequired", "not yet")
    with pytest.raises(ToolkitError) as failed:
        find_offerings(QUERY, TARGETS, TODAY, lambda _: None)
    assert "us-east-2: access denied" in failed.value.message
    assert "ap-south-2: this account may not use" in failed.value.message


def test_one_reason_for_all_is_told_once(stubs: list[Stubber]) -> None:
    for stub in stubs:
        stub.add_client_error(CALL, "ExpiredToken", "too old")
    with pytest.raises(ToolkitError) as failed:
        find_offerings(QUERY, TARGETS, TODAY, lambda _: None)
    assert failed.value.message.count("expired") == 1
    assert "aws sso login" in failed.value.hint
