"""An account of the local AWS: bought capacity, stacks deployed through CloudFormation's API, and what it tells."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from combination import Combination
from combination_stacks import CLUSTER, CLUSTER_GROUP, ON_NODES, group_output
from environment_text import ACCOUNT, KUBERNETES_VERSION, ultraserver_of, zone_of

from local_aws.clients import local_client
from local_aws.quotas import set_quota, vcpu_quotas
from local_aws.server import LocalAws
from neuron_cluster.deploy.bootstrap import version_parameter
from neuron_cluster.plan.machine_plan import SecurityGroupRole

BUCKET = "templates"
ENOUGH = 1_000_000
"""vCPUs: AWS raises quotas on request."""
POOL = [
    {"Type": "AWS::EC2::CapacityReservationPool"},
    {
        "Type": "AWS::ResourceGroups::Generic",
        "Parameters": [{"Name": "allowed-resource-types", "Values": ["AWS::EC2::CapacityReservation"]}],
    },
]


class LocalAccount:
    """The account in one Region."""

    def __init__(self, aws: LocalAws, region: str) -> None:
        self._aws, self._region = aws, region
        for code in vcpu_quotas():
            set_quota(aws.store, ACCOUNT, region, code, ENOUGH)
        self.client("ssm").put_parameter(Name=version_parameter(), Value="30", Type="String")
        self.client("s3").create_bucket(
            Bucket=f"{BUCKET}-{region}", CreateBucketConfiguration={"LocationConstraint": region}
        )
        self._parameters: list[dict[str, str]] = []
        self.reservations: dict[str, str] = {}
        """Ids of what was bought, by combination."""
        self.security_group_ids: dict[SecurityGroupRole, str] = {}
        """Ids of the security groups by role, once ``make_cluster`` has run."""

    def client(self, service: str) -> Any:
        return local_client(service, self._aws.endpoint, ACCOUNT, self._region)

    def buy(self, combination: Combination) -> dict[str, str]:
        """Makes what the combination runs in, with room for it alone; gives the names that its capacity wants."""
        if not combination.way.names:
            return {}
        is_reserved = combination.way.kind == "reservation"
        names = self._reserve(combination) if is_reserved else self._buy_block(combination)
        self.reservations[combination.name] = names["reservation_id"]
        return names

    def _reserve(self, combination: Combination) -> dict[str, str]:
        row = self.client("ec2").create_capacity_reservation(
            InstanceType=combination.row.name,
            InstancePlatform="Linux/UNIX",
            AvailabilityZoneId=zone_of(combination),
            InstanceCount=combination.machines,
            InstanceMatchCriteria="targeted",
        )["CapacityReservation"]
        groups = self.client("resource-groups")
        group = groups.create_group(Name=f"of-{combination.name}", Configuration=POOL)["Group"]["GroupArn"]
        groups.group_resources(Group=group, ResourceArns=[row["CapacityReservationArn"]])
        return {"reservation_id": row["CapacityReservationId"], "resource_group": group}

    def _buy_block(self, combination: Combination) -> dict[str, str]:
        """The first block that runs already, in the zone of the combination."""
        ec2 = self.client("ec2")
        ultraserver = ultraserver_of(combination.row)
        wish = (
            {"UltraserverType": ultraserver, "UltraserverCount": 1}
            if combination.way.kind == "ultraserver_block"
            else {"InstanceType": combination.row.name, "InstanceCount": combination.machines}
        )
        offered = ec2.describe_capacity_block_offerings(**wish, CapacityDurationHours=48)["CapacityBlockOfferings"]
        zones = {zone["ZoneName"]: zone["ZoneId"] for zone in ec2.describe_availability_zones()["AvailabilityZones"]}
        here = [each for each in offered if zones[each["AvailabilityZone"]] == zone_of(combination)]
        first = min(here, key=lambda each: each["StartDate"])
        row = ec2.purchase_capacity_block(
            CapacityBlockOfferingId=first["CapacityBlockOfferingId"], InstancePlatform="Linux/UNIX"
        )["CapacityReservation"]
        return {"reservation_id": row["CapacityReservationId"], "ultraserver": ultraserver}

    def deploy(self, name: str, template: Mapping[str, Any]) -> None:
        """Creates the stack; fails with the events that say why not."""
        bucket = f"{BUCKET}-{self._region}"
        self.client("s3").put_object(Bucket=bucket, Key=name, Body=json.dumps(template))
        stacks = self.client("cloudformation")
        stacks.create_stack(
            StackName=name,
            TemplateURL=f"{self._aws.endpoint}/{bucket}/{name}",
            Parameters=[each for each in self._parameters if each["ParameterKey"] in template.get("Parameters", {})],
            Capabilities=["CAPABILITY_IAM"],
            OnFailure="DO_NOTHING",
        )
        self._aws.engine.wait()
        status = self._stack(name)["StackStatus"]
        events = stacks.describe_stack_events(StackName=name)["StackEvents"]
        why = [f"{each['LogicalResourceId']}: {each.get('ResourceStatusReason')}" for each in events]
        assert status == "CREATE_COMPLETE", [each for each in why if "None" not in each]

    def make_cluster(self, network: str) -> None:
        """An EKS cluster on the network stack of this name, as a call and not as a stack: no add-on is wanted here."""
        statement = {"Effect": "Allow", "Principal": {"Service": "eks.amazonaws.com"}, "Action": "sts:AssumeRole"}
        document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
        name = f"cluster-{self._region}"
        role = self.client("iam").create_role(RoleName=name, AssumeRolePolicyDocument=document)["Role"]["Arn"]
        private = [{"Name": "tag:kubernetes.io/role/internal-elb", "Values": ["1"]}]
        subnets = [each["SubnetId"] for each in self.client("ec2").describe_subnets(Filters=private)["Subnets"]]
        cluster = self.client("eks").create_cluster(
            name=CLUSTER, version=KUBERNETES_VERSION, roleArn=role, resourcesVpcConfig={"subnetIds": subnets}
        )["cluster"]
        reported = {each["OutputKey"]: each["OutputValue"] for each in self._stack(network)["Outputs"]}
        self.security_group_ids = {role: reported[group_output(role)] for role in ON_NODES}
        self.security_group_ids[SecurityGroupRole.CLUSTER] = cluster["resourcesVpcConfig"]["clusterSecurityGroupId"]
        self._parameters = [
            {"ParameterKey": CLUSTER_GROUP, "ParameterValue": self.security_group_ids[SecurityGroupRole.CLUSTER]}
        ]

    def _stack(self, name: str) -> Any:
        return self.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]

    @functools.cached_property
    def launch_templates(self) -> Mapping[str, Mapping[str, Any]]:
        """Data of the newest version of the launch templates of the stacks, by id; asked for once, after the deploy.

        Those whose names begin with ``eks-`` EKS made of them for its Auto Scaling groups.
        """
        ec2 = self.client("ec2")
        pages = ec2.get_paginator("describe_launch_templates").paginate()
        ids = [
            each["LaunchTemplateId"]
            for page in pages
            for each in page["LaunchTemplates"]
            if not each["LaunchTemplateName"].startswith("eks-")
        ]
        return {each: self._newest(ec2, each) for each in ids}

    def _newest(self, ec2: Any, template_id: str) -> Mapping[str, Any]:
        answer = ec2.describe_launch_template_versions(LaunchTemplateId=template_id, Versions=["$Latest"])
        (version,) = answer["LaunchTemplateVersions"]
        return dict(version["LaunchTemplateData"])

    def free_places(self) -> dict[str, int]:
        """Machines that each reservation and block has room for, by id."""
        rows = self.client("ec2").describe_capacity_reservations()["CapacityReservations"]
        return {row["CapacityReservationId"]: row["AvailableInstanceCount"] for row in rows}

    def placement_groups(self) -> dict[str, str]:
        """Strategies by name."""
        found = self.client("ec2").describe_placement_groups()["PlacementGroups"]
        return {each["GroupName"]: each["Strategy"] for each in found}

    def zone_ids(self, subnet_ids: list[str]) -> list[str]:
        found = self.client("ec2").describe_subnets(SubnetIds=subnet_ids)["Subnets"]
        return [each["AvailabilityZoneId"] for each in found]

    def node_groups(self) -> dict[str, dict[str, Any]]:
        """Returns the node groups by the label with the user's name."""
        eks = self.client("eks")
        names = [
            name
            for page in eks.get_paginator("list_nodegroups").paginate(clusterName=CLUSTER)
            for name in page["nodegroups"]
        ]
        rows = [eks.describe_nodegroup(clusterName=CLUSTER, nodegroupName=name)["nodegroup"] for name in names]
        return {row["labels"]["combination"]: row for row in rows}
