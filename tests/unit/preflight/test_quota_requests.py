"""Requests for quotas that AWS has not decided, in the findings of `deploy` and `preflight`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.deploy.preflight.account import account_preflight
from neuron_cluster.findings.finding import Finding

from .conftest import ACCOUNT, REGION, Account

pytestmark = pytest.mark.slow
TRN, ADDRESSES = "L-2C3B7624", "L-0263D0A3"
REQUEST, HISTORY = "request-service-quota-increase", "list-requested-service-quota-change-history"


def requested(account: Account, code: str, value: float, status: str, day: int = 5) -> None:
    """A request as Service Quotas has it before AWS decides: the local AWS grants each at once."""
    rows = account.aws.store.table(ACCOUNT, REGION, "service-quotas.requests")
    rows[f"{code}-{value}"] = {
        "ServiceCode": "ec2",
        "QuotaCode": code,
        "DesiredValue": value,
        "Status": status,
        "Created": datetime(2026, 11, day, tzinfo=UTC),
    }


def finding(account: Account, code: str, name: str = "train-trn1") -> Finding:
    """The finding of a deploy about this quota."""
    found = account_preflight(account.opened(name), account.destination)
    (one,) = [each for each in found if code in each.message]
    assert [error for each in commands_in(one.hint) if (error := command_error(each))] == []
    return one


@pytest.mark.parametrize("status", ["PENDING", "CASE_OPENED"])
def test_an_open_request_that_is_enough_takes_the_place_of_a_new_one(account: Account, status: str) -> None:
    requested(account, TRN, 4096, status)
    found = finding(account, TRN)
    assert found.id == "E9550", "the quota is too small until AWS has decided"
    assert f"wait until AWS has decided: the request of 2026-11-05 for 4,096 is {status}" in found.hint
    assert [REQUEST in each for each in commands_in(found.hint)] == [False]


def test_an_open_request_that_is_too_small_is_named_after_the_command(account: Account) -> None:
    requested(account, TRN, 128, "PENDING")
    requested(account, TRN, 256, "PENDING", day=6)
    hint = finding(account, TRN).hint
    assert "--desired-value 2048" in hint
    assert "; the request of 2026-11-06 for 256 is PENDING, and AWS may reject a second request" in hint


@pytest.mark.parametrize("status", ["APPROVED", "DENIED", "CASE_CLOSED"])
def test_a_request_that_is_decided_is_not_named(account: Account, status: str) -> None:
    before = finding(account, TRN).hint
    requested(account, TRN, 4096, status)
    requested(account, ADDRESSES, 4096, "PENDING")
    assert finding(account, TRN).hint == before


def test_requests_that_may_not_be_read_leave_the_finding_and_say_so(account: Account) -> None:
    with account.aws.faults.access_denied("service-quotas", "ListRequestedServiceQuotaChangeHistoryByQuota"):
        found = finding(account, TRN)
    assert found.id == "E9550"
    assert "whether such a request is open was not read (access denied: ListRequested" in found.hint


def test_quotas_of_addresses_name_open_requests_too(account: Account) -> None:
    ec2: Any = account.client("ec2")
    for _ in range(5):
        ec2.allocate_address(Domain="vpc")
    assert REQUEST in finding(account, ADDRESSES).hint
    requested(account, ADDRESSES, 20, "PENDING")
    found = finding(account, ADDRESSES)
    assert (found.id, "for 20 is PENDING" in found.hint, REQUEST in found.hint) == ("E9581", True, False)
