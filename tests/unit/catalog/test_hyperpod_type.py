"""Types of HyperPod: rows agree with the API, with EC2 and with cfn-lint, and `instance_types` has their hardware."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cfnlint
import pytest
from botocore.loaders import Loader
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.hyperpod_type import HyperPodInstanceType, HyperPodType
from tests.every_case import every_case

CATALOG = load_catalog()
NEURON = ("ml.trn1.32xlarge", "ml.trn1n.32xlarge", "ml.trn2.3xlarge", "ml.trn2.48xlarge")
PRICE_LIST = Path(cfnlint.__file__).parent / "data/schemas/extensions/aws_sagemaker_cluster/instancetype_enum.json"

REJECTED_BY_CDK = {
    "ml.m6i.large": ("us-west-2",),
    "ml.m7i": ("ap-south-2",),
    "ml.m7i.xlarge": ("us-west-2",),
    "ml.r7i": ("ap-south-2",),
    "ml.t3.large": ("ap-northeast-2", "ap-south-2", "ap-southeast-3"),
    "ml.t3.2xlarge": ("ap-northeast-2", "ap-south-2", "ap-southeast-3"),
}
"""Regions where CDK's validation rejects types or families that cfn-lint accepts (cloudformation-validate, E3644)."""

every_type = every_case("row", CATALOG.hyperpod_types.rows, ids=lambda row: row.name)


@pytest.fixture(scope="module")
def shapes() -> dict[str, Any]:
    return dict(Loader().load_service_model("sagemaker", "service-2")["shapes"])


@every_type
def test_a_type_has_the_hardware_of_a_row_of_ec2(row: HyperPodType) -> None:
    hardware = CATALOG.instance_types[row.instance_type]
    assert row.efa_interfaces == hardware.efa_interfaces
    assert row.has_deep_health_checks is (hardware.chip is not None)
    if hardware.chip is not None:
        assert row.addresses_on_slurm == hardware.network_cards
        assert row.addresses_on_eks == 50 + (hardware.network_cards or 0) - 1


def test_the_rows_are_the_types_of_the_api_that_the_catalog_has_of_ec2(shapes: dict[str, Any]) -> None:
    of_api = {*shapes["ClusterInstanceType"]["enum"]}
    assert {*CATALOG.hyperpod_types.names} == {f"ml.{name}" for name in CATALOG.instance_types.names} & of_api
    assert tuple(row.name for row in CATALOG.hyperpod_types if row.has_deep_health_checks) == NEURON
    plans = {*shapes["ReservedCapacityInstanceType"]["enum"]}
    assert {row.name for row in CATALOG.hyperpod_types if row.in_training_plans} == {*NEURON} & plans


def test_regions_are_those_of_the_price_list_of_cfn_lint_that_cdk_accepts_too() -> None:
    listed = {region: each["enum"] for region, each in json.loads(PRICE_LIST.read_text()).items() if "enum" in each}
    for row in CATALOG.hyperpod_types:
        without = (*REJECTED_BY_CDK.get(row.name, ()), *REJECTED_BY_CDK.get(row.name.rpartition(".")[0], ()))
        expected = sorted(region for region in listed if row.name in listed[region] and region not in without)
        assert row.regions == tuple(expected), row.name
        assert row.doubt_about("regions")


@every_type
def test_instance_types_have_a_name_of_hyperpod_with_the_hardware_alone(row: HyperPodType) -> None:
    found, hardware = CATALOG.instance_types[row.name], CATALOG.instance_types[row.instance_type]
    assert isinstance(found, HyperPodInstanceType)
    assert found.name == row.name
    for field in ("family", "chip", "vcpus", "memory_gib", "neuron_devices", "network_cards", "kubernetes_resources"):
        assert getattr(found, field) == getattr(hardware, field), field
    assert (found.zone_ids, found.on_demand_usd_hour, found.eks_ami_type) == ({}, {}, None)
    assert (found.on_demand_quota, found.spot_quota, found.root_volume_minimum_gib) == (None, None, None)
    assert found.purchase_modes == ("on_demand", "spot")
    assert found.launchable is hardware.launchable
    assert found.can_be_planned
    assert not found.suggested_for_system_pods


def test_pods_of_a_node_are_those_of_hyperpod() -> None:
    pods = {name: CATALOG.instance_types[name].max_pods for name in (*NEURON, "ml.m7i.large")}
    assert pods == dict.fromkeys(NEURON[:2], 49) | dict.fromkeys((*NEURON[2:], "ml.m7i.large"))
    assert CATALOG.instance_types["ml.trn2.48xlarge"].doubt_about("max_pods")
    assert CATALOG.instance_types["trn1.32xlarge"].max_pods == 247


def test_doubts_of_purchases_are_those_of_hyperpod() -> None:
    row = CATALOG.instance_types["ml.trn1.32xlarge"]
    assert "HyperPod" in (row.doubt_about("purchase_modes") or "")
    assert row.doubt_about("zone_ids") is None
    assert CATALOG.instance_types["ml.trn2.48xlarge"].doubt_about("device_memory_gib")


def test_pods_of_hyperpod_have_the_connected_devices_of_the_hardware() -> None:
    counts = CATALOG.pod_device_counts.of_instance_type
    assert counts("ml.trn1.32xlarge") == counts("trn1.32xlarge") == (1, 4, 8, 16)
    assert counts("ml.trn2.48xlarge") == ()


def test_iteration_has_types_of_ec2_alone() -> None:
    assert [name for name in CATALOG.instance_types.names if name.startswith("ml.")] == []
    assert [row.name for row in CATALOG.instance_types if row.name.startswith("ml.")] == []
    assert "ml.trn1.32xlarge" in CATALOG.instance_types
    assert len(CATALOG.instance_types) == len(CATALOG.instance_types.rows)


@pytest.mark.parametrize(
    "name", ["ml.trn1.2xlarge", "ml.inf2.xlarge", "ml.trn2u.48xlarge", "ml.", "ml.ml.trn1.32xlarge"]
)
def test_other_types_of_sagemaker_are_not_known(name: str) -> None:
    assert CATALOG.instance_types.get(name) is None


def test_names_of_hyperpod_are_suggested_where_a_name_begins_like_one() -> None:
    assert CATALOG.instance_types.similar("ml.trn1.32xlage")[0] == "ml.trn1.32xlarge"
    assert CATALOG.instance_types.similar("trn1.32xlage")[0] == "trn1.32xlarge"


def test_a_table_with_other_rows_has_their_hardware() -> None:
    row = CATALOG.instance_types["trn1.32xlarge"]
    other = CATALOG.instance_types.with_rows([replace(row, vcpus=1)])
    assert other["ml.trn1.32xlarge"].vcpus == 1
    assert other.get("ml.trn2.48xlarge") is None
    assert CATALOG.instance_types["ml.trn1.32xlarge"].vcpus == row.vcpus
