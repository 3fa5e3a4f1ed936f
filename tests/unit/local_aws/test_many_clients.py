"""Clients at the same time: what is counted, reserved or free is given to as many of them as there is of it."""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.http.caller import Caller
from local_aws.http.gate import AccountLocks
from local_aws.quotas import set_quota
from local_aws.server import LocalAws

ACCOUNT, REGION = "610000000000", "us-west-2"
CLIENTS, FREE = 16, 5
MACHINE, VCPUS, TRN = "trn1.32xlarge", 128, "L-2C3B7624"
Service = Callable[[str], Any]


@pytest.fixture(scope="module")
def client(local_aws: LocalAws) -> Service:
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def at_once() -> Iterator[Callable[[Callable[[int], object]], Counter[str]]]:
    """Makes a call in many threads, which take turns far more often than usual; outcomes with their number."""
    interval = sys.getswitchinterval()
    barrier = threading.Barrier(CLIENTS)

    def outcome(call: Callable[[int], object], number: int) -> str:
        barrier.wait()
        try:
            call(number)
        except ClientError as error:
            return str(error.response["Error"]["Code"])
        return "got"

    def run(call: Callable[[int], object]) -> Counter[str]:
        with ThreadPoolExecutor(CLIENTS) as pool:
            return Counter(pool.map(lambda number: outcome(call, number), range(CLIENTS)))

    sys.setswitchinterval(1e-5)
    yield run
    sys.setswitchinterval(interval)


@pytest.fixture(scope="module")
def vpc(client: Service) -> str:
    return str(client("ec2").create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"])


@pytest.fixture
def subnet(client: Service, vpc: str, request: pytest.FixtureRequest) -> str:
    """A subnet of 11 addresses, of which as many as are FREE are left."""
    ec2 = client("ec2")
    taken = len(ec2.describe_subnets(Filters=[{"Name": "vpc-id", "Values": [vpc]}])["Subnets"])
    made = ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{taken}.0/28", AvailabilityZoneId="usw2-az4")["Subnet"]
    for _ in range(made["AvailableIpAddressCount"] - FREE):
        ec2.create_network_interface(SubnetId=made["SubnetId"])
    return str(made["SubnetId"])


def launch(client: Service, subnet: str, **more: Any) -> object:
    wish = {"InstanceType": MACHINE, "ImageId": "ami-1", "SubnetId": subnet, "MinCount": 1, "MaxCount": 1}
    return client("ec2").run_instances(**wish, **more)


def test_a_reservation_takes_as_many_as_it_has_places(client: Service, vpc: str, at_once: Any) -> None:
    ec2 = client("ec2")
    wide = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.200.0/24", AvailabilityZoneId="usw2-az4")["Subnet"]["SubnetId"]
    reservation = ec2.create_capacity_reservation(
        InstanceType=MACHINE, InstancePlatform="Linux/UNIX", AvailabilityZoneId="usw2-az4", InstanceCount=FREE,
        InstanceMatchCriteria="targeted",
    )["CapacityReservation"]["CapacityReservationId"]  # fmt: skip
    target = {"CapacityReservationTarget": {"CapacityReservationId": reservation}}
    outcomes = at_once(lambda _: launch(client, wide, CapacityReservationSpecification=target))
    assert outcomes == {"got": FREE, "ReservationCapacityExceeded": CLIENTS - FREE}
    (row,) = ec2.describe_capacity_reservations(CapacityReservationIds=[reservation])["CapacityReservations"]
    assert row["AvailableInstanceCount"] == 0


@pytest.mark.parametrize("how", ["instances", "interfaces"])
def test_the_last_addresses_of_a_subnet_are_given_once(client: Service, subnet: str, at_once: Any, how: str) -> None:
    ec2 = client("ec2")
    calls = {
        "instances": lambda _: launch(client, subnet),
        "interfaces": lambda _: ec2.create_network_interface(SubnetId=subnet),
    }
    outcomes = at_once(calls[how])
    assert outcomes == {"got": FREE, "InsufficientFreeAddressesInSubnet": CLIENTS - FREE}
    (row,) = ec2.describe_subnets(SubnetIds=[subnet])["Subnets"]
    assert row["AvailableIpAddressCount"] == 0


def test_a_quota_is_used_up_and_no_more(local_aws: LocalAws, at_once: Any) -> None:
    """In an account of its own."""
    account = "620000000000"

    def mine(service: str) -> Any:
        return local_client(service, local_aws.endpoint, account, REGION)

    set_quota(local_aws.store, account, REGION, TRN, FREE * VCPUS + VCPUS - 1)
    vpc = mine("ec2").create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    wide = mine("ec2").create_subnet(VpcId=vpc, CidrBlock="10.0.0.0/24", AvailabilityZoneId="usw2-az4")["Subnet"]
    outcomes = at_once(lambda _: launch(mine, wide["SubnetId"]))
    assert outcomes == {"got": FREE, "VcpuLimitExceeded": CLIENTS - FREE}


def test_one_of_many_gets_a_name(local_aws: LocalAws, vpc: str, at_once: Any) -> None:
    """Names of a global service too, which belong to the account in all of its Regions."""
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}
    role = {"RoleName": "one", "AssumeRolePolicyDocument": json.dumps({"Statement": [statement]})}
    iam = [local_client("iam", local_aws.endpoint, ACCOUNT, region) for region in (REGION, "us-east-1")]
    ec2 = local_client("ec2", local_aws.endpoint, ACCOUNT, REGION)
    blocks = at_once(lambda _: ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.250.0/24"))
    roles = at_once(lambda number: iam[number % 2].create_role(**role))
    assert blocks == {"got": 1, "InvalidSubnet.Conflict": CLIENTS - 1}
    assert roles == {"got": 1, "EntityAlreadyExists": CLIENTS - 1}


def test_a_call_that_waits_keeps_nobody_waiting(client: Service) -> None:
    """A receiver that waits for a message gets one that is sent later, by a second call."""
    sqs = client("sqs")
    queue = sqs.create_queue(QueueName="jobs")["QueueUrl"]
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(lambda: sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=20)["Messages"][0]["Body"])
        sqs.send_message(QueueUrl=queue, MessageBody="hello")
        assert received.result(timeout=15) == "hello"


def test_two_accounts_that_ask_each_other_do_not_wait_for_ever() -> None:
    """EKS looks up the role that an access entry names in the role's own account."""
    locks = AccountLocks()
    callers = [Caller(f"{number}" * 12, REGION, "eks") for number in range(2)]
    both = threading.Barrier(2, timeout=10)

    def ask(number: int) -> bool:
        with locks.held(callers[number]):
            both.wait()
            with locks.held(callers[1 - number]):
                return True

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, range(2), timeout=10)) == [True, True]
