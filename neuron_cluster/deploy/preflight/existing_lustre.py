"""Whether a file system that exists is as the file describes it, and nodes reach it.

Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/limit-access-security-groups.html.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.ec2 import subnets
from neuron_cluster.aws.existing_file_system import ExistingFileSystem, existing_file_system
from neuron_cluster.aws.fsx import associations
from neuron_cluster.aws.ingress import closed_to, ingress_rules
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.plan.storage_plan import ExistingLustrePlan, LustrePlan

WHAT = "the file system that exists"
PERMISSIONS = (
    "fsx:DescribeFileSystems",
    "fsx:DescribeDataRepositoryAssociations",
    "ec2:DescribeSubnets",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeNetworkInterfaces",
    "cloudformation:ListStackResources",
)
PORTS = (988, *range(1018, 1024))
"""TCP ports that clients and servers of Lustre use."""
LUSTRE, AVAILABLE, UPDATING = "LUSTRE", "AVAILABLE", "UPDATING"


def subjects(context: PreflightContext) -> list[str]:
    """Returns the file system."""
    lustre = context.plan.storage.lustre if context.plan.storage is not None else None
    return [lustre.existing.file_system_id] if lustre is not None and lustre.existing is not None else []


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9574 for what does not exist or does not fit; W9575 where its security group admits no node."""
    storage = context.plan.storage
    lustre = storage.lustre if storage is not None else None
    if lustre is None or lustre.existing is None:
        return
    found = existing_file_system(context.destination.target, lustre.existing.file_system_id)
    if found is None:
        message = f"there is no file system {lustre.existing.file_system_id} in {context.destination.region}"
        hint = "correct file_system_id: `aws fsx describe-file-systems` lists the file systems"
        yield _error(lustre, "existing.file_system_id", message, hint, context)
        return
    if found.kind != LUSTRE or found.status not in (AVAILABLE, UPDATING):
        message = f"{lustre.existing.file_system_id} is a {found.kind} file system and {found.status}"
        hint = "name an FSx for Lustre file system that is AVAILABLE"
        yield _error(lustre, "existing.file_system_id", message, hint, context)
        return
    yield from _differences(lustre, lustre.existing, found, context)
    yield from _place(lustre, lustre.existing, found, context)
    yield from _links(lustre, lustre.existing, context)
    yield from _clients(lustre, lustre.existing, found, context)


def _differences(
    lustre: LustrePlan, existing: ExistingLustrePlan, found: ExistingFileSystem, context: PreflightContext
) -> Iterator[Finding]:
    """Yields a finding for each value of the file that FSx returns otherwise."""
    tiering = lustre.tiering
    pairs = (
        ("storage_type", "intelligent_tiering" if tiering is not None else "ssd", found.storage_type.lower()),
        ("throughput_mbps", tiering.throughput_mbps if tiering is not None else None, found.throughput_mbps),
        ("metadata_iops", tiering.metadata_iops if tiering is not None else None, found.metadata_iops),
        ("existing.dns_name", existing.dns_name, found.dns_name),
        ("existing.mount_name", existing.mount_name, found.mount_name),
        ("deployment_type", lustre.deployment_type.lower(), found.deployment_type.lower()),
        ("capacity_gib", lustre.capacity_gib, found.capacity_gib),
        ("throughput_mbps_per_tib", lustre.throughput_mbps_per_tib, found.throughput_mbps_per_tib),
    )
    for key, given, has in pairs:
        if given is not None and given != has:
            message = f"{key.rpartition('.')[2]} is {given}, but {existing.file_system_id} has {has}"
            yield _error(lustre, key, message, f"write {has}", context)


def _place(
    lustre: LustrePlan, existing: ExistingLustrePlan, found: ExistingFileSystem, context: PreflightContext
) -> Iterator[Finding]:
    """Nodes mount it in its own VPC, and read it in its own zone."""
    vpc_id = _vpc_of_environment(context)
    if found.vpc_id != vpc_id:
        where = f"the environment is in {vpc_id}" if vpc_id else "the environment creates a VPC of its own"
        message = f"{existing.file_system_id} is in {found.vpc_id}; {where}"
        hint = f"set network.existing to {found.vpc_id} and its subnets, in an environment that is not deployed yet"
        yield _error(lustre, "existing.file_system_id", message, hint, context)
    zones = {each.zone_id for each in subnets(context.destination.target, found.subnet_ids)}
    if zones and lustre.zone_id not in zones:
        message = f"availability_zone is {lustre.zone_id}, but {existing.file_system_id} is in {listed(sorted(zones))}"
        yield _error(lustre, "availability_zone", message, f"write {listed(sorted(zones), 'or')}", context)


def _vpc_of_environment(context: PreflightContext) -> str:
    """Empty before the first deploy of an environment that creates its VPC."""
    existing = context.plan.network.existing
    if existing is not None:
        return existing.vpc_id
    held = resources(context.destination.target, context.plan.stack_name(NETWORK.stack_key))
    return next((each.physical_id for each in held if each.type == "AWS::EC2::VPC" and each.physical_id), "")


def _links(lustre: LustrePlan, existing: ExistingLustrePlan, context: PreflightContext) -> Iterator[Finding]:
    """With `sync`: no association of others is at the same folder, above or below it."""
    plan = lustre.association
    if plan is None:
        return
    storage = context.plan.stack_name("storage")
    ours = {each.physical_id for each in resources(context.destination.target, storage)}
    wanted = f"{plan.file_system_path.rstrip('/')}/"
    for each in associations(context.destination.target, existing.file_system_id):
        path = f"{each.file_system_path.rstrip('/')}/"
        if each.id not in ours and (path.startswith(wanted) or wanted.startswith(path)):
            message = f"{existing.file_system_id} links {each.file_system_path} to {each.repository} ({each.id})"
            hint = "set another file_system_path, or remove sync"
            yield _error(lustre, "sync.file_system_path", message, hint, context)


def _clients(
    lustre: LustrePlan, existing: ExistingLustrePlan, found: ExistingFileSystem, context: PreflightContext
) -> Iterator[Finding]:
    """Yields findings where clients are admitted neither by address nor by a security group of the environment."""
    group, target = existing.security_group_id, context.destination.target
    rules = ingress_rules(target, [group, *found.group_ids])
    if group not in rules:
        hint = "correct security_group_id: `aws ec2 describe-security-groups` lists the groups"
        yield _error(lustre, "existing.security_group_id", f"there is no security group {group}", hint, context)
        return
    if group not in found.group_ids:
        has = listed(sorted(found.group_ids))
        message = f"security_group_id is {group}, but the network interfaces of {existing.file_system_id} have {has}"
        yield _error(lustre, "existing.security_group_id", message, f"write {has}", context)
        return
    held = resources(target, context.plan.stack_name(NETWORK.stack_key))
    ours = {each.physical_id for each in held if each.type == "AWS::EC2::SecurityGroup"}
    nodes = [each.cidr for each in context.plan.network.subnets_of(SubnetTier.PRIVATE)]
    admitting = [rule for each in found.group_ids for rule in rules.get(each, ())]
    closed = [port for port in PORTS if closed_to(admitting, port, ours, nodes)]
    if not closed:
        return
    address = context.plan.network.cidr
    rule = {"IpProtocol": "tcp", "FromPort": PORTS[0], "ToPort": PORTS[-1], "IpRanges": [{"CidrIp": address}]}
    command = f"aws ec2 authorize-security-group-ingress --group-id {group} --ip-permissions '{json.dumps([rule])}'"
    which = f"{closed[0]} to {closed[-1]}" if len(closed) > 1 else f"{closed[0]}"
    message = f"{group} admits no node of the private subnets on TCP {which}: pods wait for their mounts"
    hint = f"the owner of the file system admits them: `{command} --region {context.destination.region}`"
    yield Finding("W9575", context.locate((*lustre.path, "existing", "security_group_id")), message, hint)


def _error(lustre: LustrePlan, key: str, message: str, hint: str, context: PreflightContext) -> Finding:
    return Finding("E9574", context.locate((*lustre.path, *key.split("."))), message, hint)
