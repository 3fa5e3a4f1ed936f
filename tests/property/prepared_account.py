"""Resources of an account of the local AWS before an environment is deployed to it, as a user's account would."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yaml_text import Tree

from local_aws.clients import local_client
from local_aws.quotas import set_quota, vcpu_quotas
from local_aws.server import LocalAws
from neuron_cluster.deploy.bootstrap import version_parameter
from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.machine_plan import MachinePlan
from tests.existing_vpc import locked_network, made_vpc

ENOUGH = 10_000_000
"""vCPUs: AWS raises quotas on request; that they suffice is no promise of the file."""
MACHINES = 10_000
RESERVATIONS = "ec2.capacity-reservations"


def prepare(aws: LocalAws, plan: ClusterPlan, assembly: Path) -> None:
    """CDK's bucket with the assets, the roles that people sign in with, quotas, and the reservations."""
    ssm = local_client("ssm", aws.endpoint, plan.account, plan.region)
    ssm.put_parameter(Name=version_parameter(), Value="30", Type="String", Overwrite=True)
    make_named_resources(aws.endpoint, plan)
    for code in vcpu_quotas():
        set_quota(aws.store, plan.account, plan.region, code, ENOUGH)
    publish_assets(aws, plan, assembly)
    buy_reservations(aws, plan)


def buy_reservations(aws: LocalAws, plan: ClusterPlan) -> None:
    """Makes the reservations and blocks of the file active, each of its machines' type and zone.

    EC2 gives ids, so those of the file are put in the place of the given ones.
    """
    ec2 = local_client("ec2", aws.endpoint, plan.account, plan.region)
    rows = aws.store.table(plan.account, plan.region, RESERVATIONS)
    for machine, zone_id in ((group.machine, group.zone_ids[0]) for group in plan.compute_groups):
        wanted = machine.purchase.reservation_id
        if wanted is None:
            continue
        bought = ec2.create_capacity_reservation(
            InstanceType=machine.instance_type,
            InstancePlatform="Linux/UNIX",
            AvailabilityZoneId=zone_id,
            InstanceCount=MACHINES,
            InstanceMatchCriteria="targeted",
        )
        row = rows.pop(bought["CapacityReservation"]["CapacityReservationId"])
        rows[wanted] = {**row, "CapacityReservationId": wanted, **(_block() if _is_block(machine) else {})}


def _is_block(machine: MachinePlan) -> bool:
    return machine.purchase.kind == "capacity_block"


def _block() -> dict[str, object]:
    end = dt.datetime.now(dt.UTC) + dt.timedelta(days=7)
    return {"ReservationType": "capacity-block", "EndDateType": "limited", "EndDate": end}


def with_networks(aws: LocalAws, *trees: Tree) -> list[Tree]:
    """The trees, with ids of a VPC of each account and Region in the place of those in ``network.existing``."""
    made: dict[tuple[str, str], dict[str, str]] = {}
    found: list[Tree] = []
    for tree in trees:
        ids = made.setdefault((tree["account"], tree["region"]), {})
        if "existing" in tree.get("network", {}) and not ids:
            ids |= _made_network(aws, tree)
        found.append(_renamed(tree, ids))
    return found


def _made_network(aws: LocalAws, tree: Tree) -> dict[str, str]:
    """Makes the VPC that the lock of the tree has. The ids that EC2 gave, by those of the tree."""
    network, listed = locked_network(tree), tree["network"]["existing"]["subnets"]
    ec2 = local_client("ec2", aws.endpoint, tree["account"], tree["region"])
    places = [(network.subnets[each["id"]].cidr, each["availability_zone"], each["kind"]) for each in listed]
    vpc_id, subnets = made_vpc(ec2, network.cidrs[0], places)
    return {network.vpc_id: vpc_id, **dict(zip((each["id"] for each in listed), subnets, strict=True))}


def _renamed(node: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(node, dict):
        return {key: _renamed(each, ids) for key, each in node.items()}
    if isinstance(node, list):
        return [_renamed(each, ids) for each in node]
    return ids.get(node, node)


def publish_assets(aws: LocalAws, plan: ClusterPlan, assembly: Path) -> None:
    """Uploads the files that the CDK command uploads before it deploys."""
    s3 = local_client("s3", aws.endpoint, plan.account, plan.region)
    bucket = f"cdk-hnb659fds-assets-{plan.account}-{plan.region}"
    if bucket not in [b["Name"] for b in s3.list_buckets()["Buckets"]]:
        place = {"LocationConstraint": plan.region} if plan.region != "us-east-1" else None
        s3.create_bucket(Bucket=bucket, **({"CreateBucketConfiguration": place} if place else {}))
    published = {found["Key"] for found in s3.list_objects_v2(Bucket=bucket).get("Contents", [])}
    for listing in assembly.glob("*.assets.json"):
        for asset in json.loads(listing.read_text())["files"].values():
            source = assembly / asset["source"]["path"]
            key = next(iter(asset["destinations"].values()))["objectKey"]
            if key not in published and not key.endswith(".json"):
                body = _zipped(source) if source.is_dir() else source.read_bytes()
                s3.put_object(Bucket=bucket, Key=key, Body=body)


def _zipped(folder: Path) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        return Path(shutil.make_archive(f"{scratch}/asset", "zip", folder)).read_bytes()
