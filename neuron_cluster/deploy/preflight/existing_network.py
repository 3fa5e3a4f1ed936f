"""Whether a VPC that exists is what the lock has of it, and lets a cluster run.

Source: https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html: DNS support, DNS hostnames and the resolver
of the VPC in its DHCP options; free addresses of subnets; the tags by which load balancers find subnets.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.existing_vpc import READ_ACTIONS, ExistingVpc, VpcSubnet, existing_vpc, vpc_subnets
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.address_plan import Purpose
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.network_plan import ExistingNetworkPlan, SubnetPlan, SubnetTier

WHAT = "the VPC that exists"
PERMISSIONS = (*READ_ACTIONS, "cloudformation:ListStackResources")
ON, OFF = '{"Value": true}', '{"Value": false}'
RESOLVER = "AmazonProvidedDNS"
"""How DHCP options name the resolver of the VPC."""
LOAD_BALANCERS = "aws_load_balancer_controller"
AVAILABLE, DEFAULT_TENANCY = "available", "default"
TAGS = {SubnetTier.PRIVATE: "kubernetes.io/role/internal-elb", SubnetTier.PUBLIC: "kubernetes.io/role/elb"}


def subjects(context: PreflightContext) -> list[str]:
    """Returns the VPC."""
    existing = context.plan.network.existing
    return [existing.vpc_id] if existing is not None else []


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9570 for each difference from the lock, and for what a cluster requires; W9559 for settings that harm it.

    W9571 for tags that are missing.
    """
    existing = context.plan.network.existing
    if existing is None:
        return
    vpc = existing_vpc(context.destination.target, existing.vpc_id)
    if vpc is None:
        message = f"{existing.vpc_id} is not in {context.destination.region} of account {context.plan.account}"
        hint = "correct vpc_id: `aws ec2 describe-vpcs` lists the VPCs"
        yield Finding("E9570", context.locate((*existing.path, "vpc_id")), message, hint)
        return
    yield from _vpc(vpc, existing, context)
    yield from _endpoints(vpc, context)
    found = vpc_subnets(context.destination.target, existing.subnet_ids, existing.vpc_id)
    is_new = not resources(context.destination.target, context.plan.stack_name(NETWORK.stack_key))
    for subnet in context.plan.network.subnets:
        has = found.get(subnet.identity)
        yield from _subnet(subnet, has, existing, context)
        if has is not None and has.vpc_id == existing.vpc_id:
            yield from _settings(subnet, has, context)
            if is_new:  # the environment itself takes addresses later
                yield from _free_addresses(subnet, has, context)
    if any(chart.component == LOAD_BALANCERS for chart in context.plan.charts):
        yield from _tags(found, context)


def _vpc(vpc: ExistingVpc, existing: ExistingNetworkPlan, context: PreflightContext) -> Iterator[Finding]:
    place, region = context.locate((*existing.path, "vpc_id")), context.destination.region
    for is_enabled, name, option in (
        (vpc.has_dns_support, "DNS support", "--enable-dns-support"),
        (vpc.has_dns_hostnames, "DNS hostnames", "--enable-dns-hostnames"),
    ):
        if not is_enabled:
            command = f"aws ec2 modify-vpc-attribute --vpc-id {vpc.id} {option} '{ON}' --region {region}"
            message = f"{name} of {vpc.id} is off: nodes cannot resolve the endpoint of the cluster"
            yield Finding("E9570", place, message, f"the owner of the VPC turns it on: `{command}`")
    if vpc.name_servers and RESOLVER not in vpc.name_servers:
        message = (
            f"the DHCP options {vpc.dhcp_options_id} of {vpc.id} have the name servers {listed(vpc.name_servers)}, not "
            f"{RESOLVER}: they have to forward the names of the cluster and of endpoints to the resolver of the VPC"
        )
        command = f"aws ec2 associate-dhcp-options --dhcp-options-id default --vpc-id {vpc.id} --region {region}"
        yield Finding("W9559", place, message, f"ask its owner whether they do; `{command}` uses the resolver itself")
    if vpc.tenancy != DEFAULT_TENANCY:
        message = f"the tenancy of {vpc.id} is {vpc.tenancy}: nodes start on dedicated hardware, at another price"
        command = f"aws ec2 modify-vpc-tenancy --vpc-id {vpc.id} --instance-tenancy default --region {region}"
        yield Finding("W9559", place, message, f"the owner of the VPC sets it for later instances: `{command}`")
    if vpc.cidrs != existing.cidrs:
        message = f"{vpc.id} has {listed(vpc.cidrs)}, and the lock has {listed(existing.cidrs)}"
        yield Finding("E9570", place, message, _lock_again(context))


def _endpoints(vpc: ExistingVpc, context: PreflightContext) -> Iterator[Finding]:
    """EC2 allows one endpoint with private DNS for a service and VPC."""
    wanted = {each.service for each in context.plan.network.endpoints}
    if not wanted:
        return
    stack = context.plan.stack_name(NETWORK.stack_key)
    ours = {each.physical_id for each in resources(context.destination.target, stack)}
    for each in vpc.endpoints:
        if each.service in wanted and each.has_private_dns and each.id not in ours:
            message = f"{vpc.id} has the endpoint {each.id} of {each.service} with private DNS: EC2 rejects another"
            hint = f"remove {each.service} from network.endpoints; nodes use the endpoint of the VPC"
            yield Finding("E9570", context.locate(("network", "endpoints")), message, hint)


def _subnet(
    plan: SubnetPlan, found: VpcSubnet | None, existing: ExistingNetworkPlan, context: PreflightContext
) -> Iterator[Finding]:
    place = context.locate((*plan.path, "id"))
    if found is None or found.vpc_id != existing.vpc_id:
        message = f"{plan.subnet_id} is not in {existing.vpc_id}" + (f" but in {found.vpc_id}" if found else "")
        command = f"aws ec2 describe-subnets --filters Name=vpc-id,Values={existing.vpc_id}"
        yield Finding("E9570", place, message, f"correct its id: `{command}` lists the subnets of the VPC")
        return
    before = {"zone": plan.zone_id, "CIDR": plan.cidr, "default route": plan.route}
    now = {"zone": found.zone_id, "CIDR": found.cidr, "default route": found.route}
    moved = [f"{name} is {now[name]}, not {value}" for name, value in before.items() if now[name] != value]
    if moved:
        message = f"{plan.subnet_id} is no longer as the lock has it: {listed(moved)}"
        yield Finding("E9570", place, message, _lock_again(context))


def _settings(plan: SubnetPlan, found: VpcSubnet, context: PreflightContext) -> Iterator[Finding]:
    place, region = context.locate((*plan.path, "id")), context.destination.region
    if found.state != AVAILABLE:
        hint = f"`aws ec2 describe-subnets --subnet-ids {found.id} --region {region}` shows its state"
        yield Finding("E9570", place, f"{found.id} is {found.state}: nothing can be placed in it", hint)
    if plan.tier is SubnetTier.PRIVATE and found.maps_public_addresses:
        message = f"{found.id} is private, but EC2 gives instances in it public addresses (MapPublicIpOnLaunch)"
        command = f"aws ec2 modify-subnet-attribute --subnet-id {found.id} --map-public-ip-on-launch '{OFF}'"
        yield Finding("W9559", place, message, f"the owner of the VPC turns it off: `{command} --region {region}`")


def _free_addresses(plan: SubnetPlan, found: VpcSubnet, context: PreflightContext) -> Iterator[Finding]:
    """Before the first deploy; what the range holds in all is rule E1010."""
    needed = next((each for each in context.plan.addresses if each.cidr == plan.cidr), None)
    if needed is None or found.free_addresses >= needed.needed:
        return
    least = needed.needed - needed.needed_for(Purpose.NODES)
    finding_id, what = ("E9570", "without nodes") if found.free_addresses < least else ("W9559", "at the maximum sizes")
    wanted = least if finding_id == "E9570" else needed.needed
    message = f"{found.id} has {found.free_addresses:,} free addresses; {what} the environment needs {wanted:,}"
    hint = f"name another subnet of {plan.zone_id}, lower count.max, or ask its owner what uses the others"
    yield Finding(finding_id, context.locate((*plan.path, "id")), message, hint)


def _tags(found: dict[str, VpcSubnet], context: PreflightContext) -> Iterator[Finding]:
    for tier, tag in TAGS.items():
        planned = [each for each in context.plan.network.subnets_of(tier) if each.identity in found]
        untagged = [each for each in planned if tag not in found[each.identity].tags]
        if untagged:
            ids = [each.identity for each in untagged]
            verb = "have" if len(ids) > 1 else "has"
            message = f"{listed(ids)} {verb} no tag {tag}: load balancers are not placed there"
            command = f"aws ec2 create-tags --resources {' '.join(ids)} --tags Key={tag},Value=1"
            hint = f"the owner of the VPC sets it: `{command} --region {context.destination.region}`"
            yield Finding("W9571", context.locate((*untagged[0].path, "id")), message, hint)


def _lock_again(context: PreflightContext) -> str:
    return f"run `{context.lock_again}`, and review its changes before the next deploy"
