"""Answers of EC2 about instance types, as moto has recorded them."""

import gzip
import json
from importlib import resources
from typing import Any

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.instance_types import described_types, offered_zone_ids
from neuron_cluster.aws.session import LocalTarget, client, close_clients

LOCAL = LocalTarget("us-west-2", "111122223333", "http://127.0.0.1:9")


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    packed = resources.files("moto").joinpath("ec2/resources/instance_types.json.gz").read_bytes()
    answers: dict[str, Any] = json.loads(gzip.decompress(packed))
    return answers


@pytest.fixture
def stub():
    with Stubber(client(LOCAL, "ec2")) as stubber:
        yield stubber
    close_clients(LOCAL)


def test_the_numbers_of_all_pages_are_read_by_name(stub, recorded) -> None:
    asked = {"Filters": [{"Name": "instance-type", "Values": ["trn*", "m7i.large"]}]}
    first = {"InstanceTypes": [recorded["trn1.32xlarge"]], "NextToken": "more"}
    stub.add_response("describe_instance_types", first, asked)
    second = {"InstanceTypes": [recorded["m7i.large"], recorded["trn2u.48xlarge"]]}
    stub.add_response("describe_instance_types", second, asked | {"NextToken": "more"})
    host, trn1, trn2u = described_types(LOCAL, ["trn*", "m7i.large"])
    assert (host.name, host.neuron_devices, host.efa_interfaces, host.local_disk_count) == ("m7i.large", None, 0, 0)
    assert (trn1.vcpus, trn1.memory_mib, trn1.network_cards, trn1.interfaces_per_card) == (128, 524288, 8, 5)
    assert (trn1.neuron_devices, trn1.neuron_cores, trn1.device_memory_mib) == (16, 32, 524288)
    assert (trn1.local_disk_count, trn1.local_storage_gb, trn1.efa_interfaces) == (4, 7600, 8)
    assert (trn2u.chip, trn2u.neuron_devices) == (None, None)


def test_cards_that_differ_have_no_number_of_interfaces(stub, recorded) -> None:
    row = json.loads(json.dumps(recorded["trn1.32xlarge"]))
    row["NetworkInfo"]["NetworkCards"][0]["MaximumNetworkInterfaces"] = 15
    stub.add_response("describe_instance_types", {"InstanceTypes": [row]})
    (found,) = described_types(LOCAL, ["trn*"])
    assert found.interfaces_per_card is None


def test_zones_are_sorted_by_type_and_a_type_without_any_is_left_out(stub) -> None:
    offers = [("trn2.48xlarge", "use2-az3"), ("trn1.32xlarge", "use2-az3"), ("trn2.48xlarge", "use2-az1")]
    stub.add_response(
        "describe_instance_type_offerings",
        {"InstanceTypeOfferings": [{"InstanceType": name, "Location": zone} for name, zone in offers]},
        {
            "LocationType": "availability-zone-id",
            "Filters": [{"Name": "instance-type", "Values": ["trn1.32xlarge", "trn2.48xlarge", "trn3.48xlarge"]}],
        },
    )
    assert offered_zone_ids(LOCAL, ["trn3.48xlarge", "trn2.48xlarge", "trn1.32xlarge"]) == {
        "trn1.32xlarge": ("use2-az3",),
        "trn2.48xlarge": ("use2-az1", "use2-az3"),
    }
