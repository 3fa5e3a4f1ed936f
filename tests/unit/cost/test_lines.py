"""Counted quantities, and unknown ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cost.environment_cost import EnvironmentCost, hourly, monthly
from neuron_cluster.cost.model import CostLine, Quantities, Scenario, Section, Sum, sum_of
from neuron_cluster.cost.service_lines import service_quantities
from neuron_cluster.cost.storage_list import decided_storage
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.cost_page import cost_tables
from tests.existing_vpc import ALL_EXISTING

from .conftest import CostOf

GOLDENS = Path(__file__).parents[2] / "golden"
SHIPPED = Path(__file__).parents[3] / "environments"
ENVIRONMENTS = sorted(path.stem for path in SHIPPED.glob("*.yaml"))
TYPES = {
    "nat-gateway": "AWS::EC2::NatGateway",
    "public-ipv4": "AWS::EC2::EIP",
    "kms-key": "AWS::KMS::Key",
    "cloudwatch-alarm": "AWS::CloudWatch::Alarm",
    "cloudwatch-dashboard": "AWS::CloudWatch::Dashboard",
}
BILLED = {
    *TYPES.values(),
    *("AWS::FSx::FileSystem", "AWS::EC2::Volume", "AWS::EC2::VPCEndpoint", "AWS::EKS::Cluster", "AWS::EKS::Nodegroup"),
    *("AWS::EC2::Instance", "AWS::PCS::Cluster", "AWS::PCS::ComputeNodeGroup"),
    "AWS::SageMaker::Cluster",
}
"""Resource types with their own line."""
BY_USE = {
    *("AWS::S3::Bucket", "AWS::Logs::LogGroup", "AWS::EC2::FlowLog", "AWS::Lambda::Function"),
    *("AWS::ECR::PullThroughCacheRule", "AWS::EFS::FileSystem"),
}
"""Functions run in a deploy alone. ECR bills images that a rule brings, by the GB."""
FREE = {
    *(f"AWS::EC2::{name}" for name in (
        "VPC", "Subnet", "InternetGateway", "VPCGatewayAttachment", "RouteTable", "Route", "PlacementGroup",
        "SubnetRouteTableAssociation", "SecurityGroup", "SecurityGroupIngress", "SecurityGroupEgress", "LaunchTemplate",
    )),
    *(f"AWS::EKS::{name}" for name in ("AccessEntry", "Addon", "PodIdentityAssociation")),
    *(f"AWS::IAM::{name}" for name in ("Role", "Policy", "ManagedPolicy", "InstanceProfile", "OIDCProvider")),
    *("AWS::KMS::Alias", "AWS::S3::BucketPolicy", "AWS::FSx::DataRepositoryAssociation", "AWS::Lambda::LayerVersion"),
    *("AWS::EFS::AccessPoint", "AWS::EFS::MountTarget"),
    *("AWS::CDK::Metadata", "AWS::CloudFormation::CustomResource", "AWS::SSM::Parameter"),
    *("AWS::SSM::Association", "AWS::ECR::RepositoryCreationTemplate", "AWS::PCS::Queue"),
    *("AWS::Logs::DeliverySource", "AWS::Logs::DeliveryDestination", "AWS::Logs::Delivery"),
    *("AWS::SageMaker::ClusterSchedulerConfig", "AWS::SageMaker::ComputeQuota"),
    "AWS::Budgets::Budget",  # docs/teams.md has the doubt
}  # fmt: skip
BLOCK = {
    "kind": "capacity_block",
    "reservation_id": "cr-0123456789abcdef0",
    "starts": "2026-12-01T11:30:00Z",
    "ends": "2026-12-08T11:30:00Z",
}


def resource_types(environment: str) -> Counter[str]:
    templates = [json.loads(path.read_text()) for path in (GOLDENS / environment).glob("*.json")]
    return Counter(each["Type"] for template in templates for each in template.get("Resources", {}).values())


def _units(cost: EnvironmentCost, line: CostLine) -> str:
    """As the page shows them."""
    return next(row[1] for table in cost_tables(cost) for row in table.rows if row[0] == line.what)


def line_of(cost: EnvironmentCost, name: str, section: Section = Section.INSTANCES) -> CostLine:
    return next(line for line in cost.lines if line.name == name and line.section is section)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_as_many_are_counted_as_the_templates_create(environment: str, plan_of: Callable[..., ClusterPlan]) -> None:
    created = resource_types(environment)
    counted = service_quantities(plan_of(environment))
    assert {name: counted[name] for name in TYPES} == {name: created[kind] for name, kind in TYPES.items()}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_resource_type_of_the_templates_is_known_to_be_billed_or_free(environment: str) -> None:
    known = BILLED | BY_USE | FREE
    new = [kind for kind in resource_types(environment) if kind not in known and not kind.startswith("Custom::")]
    assert new == [], "does it have a price by the hour or month? then it needs a line, else add it to the list"


@pytest.mark.parametrize("name", ["slurm-trn1", "slurm-trn2-block"])
def test_the_header_of_a_slurm_template_has_the_price_of_its_file_system(
    name: str, plan_of: Callable[..., ClusterPlan]
) -> None:
    plan = plan_of(name)
    (line,) = decided_storage(plan, load_catalog())
    assert f"/fsx costs {line.usd:,.0f} USD a month in {plan.region}" in (SHIPPED / f"{name}.yaml").read_text("utf-8")


def test_interface_endpoints_are_billed_for_each_zone(cost_of: CostOf) -> None:
    cost = cost_of("train-trn1", {"network.endpoints": ["s3", "ecr.api", "ecr.dkr", "sts"]})
    # 3 endpoints x 2 zones x 0.01 x 730 h; the gateway endpoint of S3 is free
    assert line_of(cost, "interface-endpoint", Section.CONTROL_PLANE).monthly(Scenario.IDLE) == pytest.approx(43.80)
    assert [rate.name for rate in cost.rates] == ["nat-gateway-data", "interface-endpoint-data"]
    assert cost.rates[0].price is not None
    assert cost.rates[0].price.usd == 0.045


def test_an_unknown_price_makes_the_line_unknown_and_the_sum_a_lower_bound(cost_of: CostOf) -> None:
    cost = cost_of("dev-trn2")
    system = line_of(cost, "system")
    assert system.price is None
    assert system.why_unknown == "the catalog has no price of this type in this Region"
    assert (system.hourly(Scenario.DESIRED), system.monthly(Scenario.DESIRED)) == (None, None)
    total = monthly(cost.lines, Scenario.DESIRED)
    assert total.exact is None
    # 73 for the control plane, 3.65 for an address, 2 keys
    assert total.at_least == pytest.approx(78.65)


def test_spot_instances_cost_what_was_seen_and_no_instances_cost_nothing(cost_of: CostOf) -> None:
    trn2 = line_of(cost_of("dev-trn2"), "trn2")
    assert trn2.price is not None
    assert (trn2.price.usd, trn2.price.is_spot) == (2.57, True)
    assert (trn2.monthly(Scenario.DESIRED), trn2.monthly(Scenario.MAXIMUM)) == (0, pytest.approx(2.57 * 730))
    unknown = line_of(cost_of("train-trn1", {"eks.node_groups.1.capacity": {"kind": "spot"}}), "trn1")
    assert (unknown.price, unknown.why_unknown) == (None, "the spot price changes")


def test_a_capacity_block_is_a_sum_with_its_dates_and_no_rate(cost_of: CostOf) -> None:
    cost = cost_of("train-trn2", {"eks.node_groups.1.capacity": BLOCK})
    assert [line.name for line in cost.lines if line.section is Section.INSTANCES] == ["system"]
    [block] = cost.blocks
    assert (block.starts, block.ends, block.hours) == (BLOCK["starts"], BLOCK["ends"], 168)
    assert (block.usd, block.price) == (None, None)
    assert (cost.blocks_usd.exact, cost.blocks_usd.at_least) == (None, None)


def test_a_block_whose_price_is_known_costs_price_times_hours_times_instances(cost_of: CostOf) -> None:
    edits: dict[str, Any] = {
        "region": "ap-south-2",
        "network.availability_zones": ["aps2-az3", "aps2-az1"],
        "storage": None,
        "eks.node_groups.1.availability_zone": "aps2-az3",
        "eks.node_groups.1.capacity": BLOCK,
    }
    [block] = cost_of("train-trn2", edits).blocks
    assert block.price is not None
    assert block.usd == pytest.approx(24_030.72)  # 4 instances x 168 h x 35.76
    without_dates = {**edits, "eks.node_groups.1.capacity": {key: BLOCK[key] for key in ("kind", "reservation_id")}}
    [open_end] = cost_of("train-trn2", without_dates).blocks
    assert (open_end.usd, open_end.hours) == (None, None)
    assert open_end.why_unknown is not None
    assert "capacity.starts" in open_end.why_unknown


def test_a_workstation_that_stops_itself_is_stopped_when_idle_and_its_volumes_stay(cost_of: CostOf) -> None:
    cost = cost_of("workstation")
    running = pytest.approx(553.486)  # 0.7582 x 730
    assert [line_of(cost, "alice").monthly(each) for each in Scenario] == [0, running, running]
    assert line_of(cost, "home alice", Section.VOLUMES).monthly(Scenario.IDLE) == pytest.approx(16.00)  # 200 x 0.08
    always_on = cost_of("workstation", {"workstations.0.idle_stop_minutes": 0})
    assert line_of(always_on, "alice").monthly(Scenario.IDLE) == running


def test_what_exists_is_billed_to_its_owner(cost_of: CostOf) -> None:
    """A VPC with its gateways and flow logs, a data key, a file system. Nothing is exported to the bucket."""
    cost = cost_of("train-trn1", ALL_EXISTING)
    found = {line.name: line.quantities.desired for line in cost.lines if line.section is not Section.VOLUMES}
    assert "nat-gateway" not in found
    assert "public-ipv4" not in found
    assert found["interface-endpoint"] == 2
    assert found["kms-key"] == 1
    assert [line for line in cost.lines if line.section is Section.STORAGE] == []
    assert "S3 Standard" in cost.by_use
    assert line_of(cost, "home alice", Section.VOLUMES).monthly(Scenario.IDLE) == pytest.approx(8.00)  # 100 x 0.08


def test_what_has_no_quantity_in_the_file_is_named(cost_of: CostOf) -> None:
    edits = {
        "storage.efs": {"access_points": [{"name": "home", "path": "/home"}]},
        "storage.s3_files": {"prefix": "shared/files"},
        "storage.express": {"availability_zone": "usw2-az4"},
        "eks.auto_mode": True,
        "eks.addons.ebs_csi_driver": True,
        "eks.node_groups.1.capacity": {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"},
    }
    assert {
        "EFS",
        "S3 Files",
        "S3 Express One Zone",
        "nodes of EKS Auto Mode",
        "volumes of PersistentVolumeClaims",
        "unused instances of the capacity reservation of trn1",
        "load balancers of Services and Ingresses",
        "CloudWatch metrics",
    } <= set(cost_of("train-trn1", edits).by_use)


def test_a_bucket_without_checkpoints_is_billed_by_use(cost_of: CostOf) -> None:
    cost = cost_of("train-trn1", {"storage.lustre": None, "storage.checkpoints": None})
    assert [line for line in cost.lines if line.section is Section.STORAGE] == []
    assert "S3 Standard" in cost.by_use
    assert "S3 Standard" not in cost_of("train-trn1").by_use


def test_an_intelligent_tiering_file_system_has_no_known_price_and_is_not_free(cost_of: CostOf) -> None:
    edits = {
        "storage.checkpoints": None,
        "storage.lustre": {
            "availability_zone": "usw2-az4",
            "storage_type": "intelligent_tiering",
            "throughput_mbps": 4000,
        },
    }
    cost = cost_of("train-trn1", edits)
    [line] = [line for line in cost.lines if line.section is Section.STORAGE]
    assert line.monthly(Scenario.IDLE) is None
    assert line.why_unknown is not None
    assert line.quantities == Quantities(None, None, None)
    assert _units(cost, line) == "unknown"
    assert monthly(cost.lines, Scenario.IDLE).exact is None


@pytest.mark.parametrize(
    ("lustre", "amount"),
    [
        ({"deployment_type": "persistent_1", "throughput_mbps_per_tib": 50, "capacity_gib": 2400}, 2400),
        ({"capacity_gib": 4800}, 4800),
    ],
)
def test_storage_without_a_price_has_its_amount(cost_of: CostOf, lustre: dict[str, Any], amount: int) -> None:
    edits = {"storage.checkpoints": None, **{f"storage.lustre.{key}": value for key, value in lustre.items()}}
    if "deployment_type" not in lustre:  # a Region whose price no source has
        edits |= {
            "region": "ap-south-2",
            "network.availability_zones": ["aps2-az3", "aps2-az1"],
            "storage.lustre.availability_zone": "aps2-az3",
            "eks.node_groups.1.availability_zone": "aps2-az3",
        }
    environment = "train-trn1" if "deployment_type" in lustre else "train-trn2"
    cost = cost_of(environment, edits)
    [line] = [line for line in cost.lines if line.section is Section.STORAGE]
    assert line.price is None
    assert line.quantities == Quantities(amount, amount, amount)
    assert line.unit == "GB-month"
    assert _units(cost, line) == f"{amount:,}"


def test_a_group_without_a_limit_makes_the_maximum_a_lower_bound(cost_of: CostOf) -> None:
    [trn1] = [line for line in cost_of("train-trn1").lines if line.what == "trn1.32xlarge"]
    line = CostLine(
        section=trn1.section,
        name="farm",
        what=trn1.what,
        unit=trn1.unit,
        quantities=Quantities(0, 1, None),
        period=trn1.period,
        price=trn1.price,
    )
    assert (line.hourly(Scenario.IDLE), line.hourly(Scenario.DESIRED), line.hourly(Scenario.MAXIMUM)) == (0, 21.5, None)
    assert hourly([line, trn1], Scenario.MAXIMUM) == Sum(None, 344.0)


@pytest.mark.parametrize(
    ("parts", "exact", "at_least"),
    [
        ([], 0, 0),
        ([1.5, 2], 3.5, 3.5),
        ([None, 2], None, 2),
        ([None], None, None),
        ([0, None], None, 0),
        ([1e308, 1e308], None, None),
        ([1e308, 1e308, None], None, None),
    ],
)
def test_sums_of_unknown_parts_are_lower_bounds(
    parts: list[float | None], exact: float | None, at_least: float | None
) -> None:
    assert sum_of(parts) == Sum(exact, at_least)
