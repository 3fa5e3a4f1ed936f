"""The state of what private subnets need to reach services: VPC endpoints and NAT gateways."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.network_state import endpoint_states, nat_gateway_states
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection, error, healthy
from neuron_cluster.status.held_subjects import gone, ids_or_line

AVAILABLE = "available"
ENDPOINTS, NAT_GATEWAYS = "VPC endpoints", "NAT gateways"


def network_section(query: StatusQuery) -> StatusSection:
    existing = query.plan.network.existing
    others = f"subnets, routes and endpoints that {existing.vpc_id} has already" if existing is not None else ""
    return StatusSection("Network", (*_endpoints(query), *_nat_gateways(query)), others)


def _endpoints(query: StatusQuery) -> Iterator[StatusLine]:
    planned = query.plan.network.endpoints
    if not planned:
        return
    ids = ids_or_line(query, ENDPOINTS, NETWORK.stack_key, "AWS::EC2::VPCEndpoint")
    if isinstance(ids, StatusLine):
        yield ids
        return
    found = reading("ec2", lambda: endpoint_states(query.access.target, ids))
    if isinstance(found, NotRead):
        yield query.not_read(ENDPOINTS, found)
        return
    by_service = {state.service_name: (endpoint_id, state) for endpoint_id, state in found.items()}
    usable = 0
    for endpoint in planned:
        subject = f"endpoint of {endpoint.service}"
        if endpoint.service_name not in by_service:
            yield gone(query, subject, NETWORK.stack_key)
            continue
        endpoint_id, state = by_service[endpoint.service_name]
        usable += state.state == AVAILABLE
        if state.state != AVAILABLE:
            command = query.access.aws_command("ec2 describe-vpc-endpoints", vpc_endpoint_ids=endpoint_id)
            cause = f"it is {state.state}{f': {state.error}' if state.error else ''}"
            yield error(subject, cause, command, since=state.created)
    if usable:
        yield healthy(ENDPOINTS, f"{counted(usable, 'endpoint')} available")


def _nat_gateways(query: StatusQuery) -> Iterator[StatusLine]:
    planned = sum(zone.has_nat_gateway for zone in query.plan.network.zones)
    if not planned or query.plan.network.existing is not None:
        return
    ids = ids_or_line(query, NAT_GATEWAYS, NETWORK.stack_key, "AWS::EC2::NatGateway")
    if isinstance(ids, StatusLine):
        yield ids
        return
    found = reading("ec2", lambda: nat_gateway_states(query.access.target, ids))
    if isinstance(found, NotRead):
        yield query.not_read(NAT_GATEWAYS, found)
        return
    for gateway_id in ids:
        state = found.get(gateway_id)
        if state is None:
            yield gone(query, f"NAT gateway {gateway_id}", NETWORK.stack_key)
        elif state.state != AVAILABLE:
            command = query.access.aws_command("ec2 describe-nat-gateways", nat_gateway_ids=gateway_id)
            cause = f"it is {state.state}{f': {state.failure}' if state.failure else ''}; private subnets lack internet"
            yield error(f"NAT gateway {gateway_id}", cause, command, since=state.created)
    usable = sum(state.state == AVAILABLE for state in found.values())
    if len(ids) < planned:
        cause = f"the stack has {len(ids)} of {counted(planned, 'gateway')} of the file"
        yield error(NAT_GATEWAYS, cause, query.toolkit_command("deploy"))
    elif usable:
        yield healthy(NAT_GATEWAYS, f"{counted(usable, 'gateway')} available")
