"""Whether endpoints of a VPC that exists let nodes reach the services behind them.

Source: https://docs.aws.amazon.com/vpc/latest/privatelink/interface-endpoints.html and gateway-endpoints.html: with
private DNS every call from the VPC goes to the interface endpoint, and through a gateway endpoint from every subnet of
its route tables, whatever other way there is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.access.resource_policy import Passage, passage
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.existing_vpc import (
    NO_ROUTE,
    READ_ACTIONS,
    ExistingVpc,
    VpcEndpoint,
    VpcSubnet,
    existing_vpc,
    vpc_subnets,
)
from neuron_cluster.aws.ingress import IngressRule, closed_to, ingress_rules
from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.deploy.bootstrap import DEFAULT_QUALIFIER
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.protocol.preflight import NotQueriedError

WHAT = "the endpoints of the VPC that exists"
PERMISSIONS = (*READ_ACTIONS, "ec2:DescribeSecurityGroups", "cloudformation:ListStackResources")
HTTPS = 443
AVAILABLE = "available"


class Vpc(Struct, frozen=True):
    """The input of the checks of one endpoint."""

    context: PreflightContext
    found: ExistingVpc
    subnets: Mapping[str, VpcSubnet]
    """The private subnets of the file, by id."""
    rules: Mapping[str, tuple[IngressRule, ...]]
    """Ingress rules of the security groups of all endpoints, by group id."""
    own_groups: frozenset[str]
    """Security groups of the network stack."""

    def command(self, text: str) -> str:
        return f"`aws ec2 {text} --region {self.context.destination.region}`"


def subjects(context: PreflightContext) -> list[str]:
    """Returns the services that nodes call through the VPC."""
    existing = context.plan.network.existing
    return list(existing.called) if existing is not None else []


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9558 for an endpoint that a service is not reached through; W9559 where it depends, or on another zone."""
    existing = context.plan.network.existing
    target = context.destination.target
    found = existing_vpc(target, existing.vpc_id) if existing is not None else None
    if existing is None:
        return
    if found is None:
        raise NotQueriedError(f"{existing.vpc_id} was not found")
    held = resources(target, context.plan.stack_name(NETWORK.stack_key))
    ours = {each.physical_id for each in held}
    private = [each.identity for each in context.plan.network.subnets_of(SubnetTier.PRIVATE)]
    described = vpc_subnets(target, private, existing.vpc_id)
    subnets = {each: described[each] for each in private if each in described}
    groups = {group for each in found.endpoints for group in each.group_ids}
    own_groups = frozenset(each.physical_id for each in held if each.type == "AWS::EC2::SecurityGroup")
    vpc = Vpc(context, found, subnets, ingress_rules(target, sorted(groups)), own_groups)
    made = {each.service for each in context.plan.network.endpoints}
    for service in existing.called:
        rows = [each for each in found.endpoints if each.service == service and each.id not in ours]
        if rows and service not in made:
            yield from _service(context.catalog.endpoint_services[service], rows, vpc)


def _service(service: EndpointService, rows: list[VpcEndpoint], vpc: Vpc) -> Iterator[Finding]:
    """Yields findings on the endpoints of one service that calls use, and on closed subnets whose calls use none."""
    capturing = [each for each in rows if _subnets_through(each, vpc)]
    for endpoint in capturing:
        yield from _endpoint(service, endpoint, vpc)
    reached = {subnet.id for each in capturing for subnet in _subnets_through(each, vpc)}
    closed = [each for each in vpc.subnets.values() if each.route == NO_ROUTE and each.id not in reached]
    if not closed:
        return
    names = listed(each.id for each in closed)
    if gateway := next((each for each in rows if each.is_gateway), None):
        tables = " ".join(dict.fromkeys(each.route_table_id for each in closed))
        message = f"the gateway endpoint {gateway.id} of {service.name} is in no route table of {names}"
        command = f"modify-vpc-endpoint --vpc-endpoint-id {gateway.id} --add-route-table-ids {tables}"
    else:
        message = f"{rows[0].id} of {service.name} has no private DNS: its name leads {names} to public addresses"
        command = f"modify-vpc-endpoint --vpc-endpoint-id {rows[0].id} --private-dns-enabled"
    message += f", and {'it has' if len(closed) == 1 else 'they have'} no default route"
    yield _blocked(message, f"the owner of the VPC sets it: {vpc.command(command)}", vpc)


def _subnets_through(endpoint: VpcEndpoint, vpc: Vpc) -> list[VpcSubnet]:
    """The private subnets whose calls go to the endpoint."""
    if endpoint.is_gateway:
        return [each for each in vpc.subnets.values() if each.route_table_id in endpoint.route_table_ids]
    return list(vpc.subnets.values()) if endpoint.has_private_dns else []


def _endpoint(service: EndpointService, endpoint: VpcEndpoint, vpc: Vpc) -> Iterator[Finding]:
    if endpoint.state != AVAILABLE:
        through = listed(each.id for each in _subnets_through(endpoint, vpc))
        message = f"{endpoint.id} of {service.name} is {endpoint.state}, and calls of {through} go to it"
        show = vpc.command(f"describe-vpc-endpoints --vpc-endpoint-ids {endpoint.id}")
        yield _blocked(message, f"the owner of the VPC makes it available, or removes it: {show} shows its state", vpc)
        return
    if not endpoint.is_gateway:
        yield from _groups(service, endpoint, vpc)
        yield from _zones(service, endpoint, vpc)
    yield from _policy(service, endpoint, vpc)


def _groups(service: EndpointService, endpoint: VpcEndpoint, vpc: Vpc) -> Iterator[Finding]:
    rules = [rule for group in endpoint.group_ids for rule in vpc.rules.get(group, ())]
    cidrs = [each.cidr for each in vpc.subnets.values()]
    closed = closed_to(rules, HTTPS, vpc.own_groups, cidrs)
    if not closed:
        return
    ranges = [{"CidrIp": cidr} for cidr in closed]
    rule = {"IpProtocol": "tcp", "FromPort": HTTPS, "ToPort": HTTPS, "IpRanges": ranges}
    group = endpoint.group_ids[0] if endpoint.group_ids else "default"
    command = f"authorize-security-group-ingress --group-id {group} --ip-permissions '{json.dumps([rule])}'"
    message = (
        f"{endpoint.id} of {service.name} has private DNS, so that calls of nodes go to it, but "
        f"{listed(endpoint.group_ids)} {'does' if len(endpoint.group_ids) == 1 else 'do'} not admit TCP {HTTPS} from "
        f"{listed(closed)}"
    )
    yield _blocked(message, f"the owner of the VPC admits the private subnets: {vpc.command(command)}", vpc)


def _zones(service: EndpointService, endpoint: VpcEndpoint, vpc: Vpc) -> Iterator[Finding]:
    """Calls of a zone without an interface go to another zone, as long as that works."""
    if not endpoint.subnet_ids:
        message = f"{endpoint.id} of {service.name} has private DNS and no subnet: its name has no address"
        ids = " ".join(vpc.subnets)
        command = vpc.command(f"modify-vpc-endpoint --vpc-endpoint-id {endpoint.id} --add-subnet-ids {ids}")
        yield _blocked(message, f"the owner of the VPC adds one in each zone: {command}", vpc)
        return
    placed = vpc_subnets(vpc.context.destination.target, endpoint.subnet_ids, vpc.found.id)
    zones = {each.zone_id for each in placed.values()}
    lacking = {each.zone_id: each.id for each in vpc.subnets.values() if each.zone_id not in zones}
    if lacking:
        message = (
            f"{endpoint.id} of {service.name} has no interface in {listed(lacking)}: calls of nodes there go to "
            f"{listed(sorted(zones))}, which is billed by the gigabyte and fails with that zone"
        )
        ids = " ".join(lacking.values())
        command = vpc.command(f"modify-vpc-endpoint --vpc-endpoint-id {endpoint.id} --add-subnet-ids {ids}")
        yield _doubtful(message, f"the owner of the VPC adds a subnet: {command}", vpc)


def _policy(service: EndpointService, endpoint: VpcEndpoint, vpc: Vpc) -> Iterator[Finding]:
    plan = vpc.context.plan
    principal = f"arn:{plan.partition}:iam::{plan.account}:role/node"
    needs = list(_needs(service, vpc.context))
    found = {(action, arn): passage(endpoint.policy, principal, action, arn) for action, arn in needs}
    reset = vpc.command(f"modify-vpc-endpoint --vpc-endpoint-id {endpoint.id} --reset-policy")
    for state, verb, make in ((Passage.CLOSED, "denies", _blocked), (Passage.UNKNOWN, "may deny", _doubtful)):
        calls = [f"{action} on {arn}" if arn else action for (action, arn), each in found.items() if each is state]
        if calls:
            message = f"the policy of {endpoint.id} of {service.name} {verb} {listed(calls)}"
            yield make(message, f"the owner of the VPC allows it in the policy; {reset} allows everything", vpc)


def _needs(service: EndpointService, context: PreflightContext) -> Iterator[tuple[str, str]]:
    """IAM actions with the ARN of what they read; empty where it is not known."""
    plan = context.plan
    existing = plan.network.existing
    called = existing.called if existing is not None else ()
    buckets = [
        row.bucket_pattern.format(region=plan.region)
        for row in context.catalog.endpoint_services
        if row.bucket_pattern and row.name in called
    ]
    storage = plan.storage
    if storage is not None and storage.bucket is not None and storage.bucket.existing is not None:
        buckets.append(storage.bucket.existing.name)
    if plan.kubernetes is not None:
        buckets.append(f"cdk-{context.qualifier or DEFAULT_QUALIFIER}-assets-{plan.account}-{plan.region}")
    for action in service.calls:
        arns = [f"arn:{plan.partition}:s3:::{bucket}/any" for bucket in buckets] if service.name == "s3" else [""]
        yield from ((action, arn) for arn in arns)


def _blocked(message: str, hint: str, vpc: Vpc) -> Finding:
    return _finding("E9558", message, hint, vpc)


def _doubtful(message: str, hint: str, vpc: Vpc) -> Finding:
    return _finding("W9559", message, hint, vpc)


def _finding(finding_id: str, message: str, hint: str, vpc: Vpc) -> Finding:
    return Finding(finding_id, vpc.context.locate(("network", "existing", "vpc_id")), message, hint)
