"""Load balancers of Elastic Load Balancing."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class LoadBalancer(Struct, frozen=True):
    """An application or network load balancer."""

    arn: str
    name: str
    type: str


def load_balancers(target: Target, vpc_id: str) -> list[LoadBalancer]:
    """The load balancers of a VPC, by name."""
    with translated():
        pages = client(target, "elbv2").get_paginator("describe_load_balancers").paginate()
        rows = [row for page in pages for row in page["LoadBalancers"] if row.get("VpcId") == vpc_id]
    found = [LoadBalancer(row["LoadBalancerArn"], row["LoadBalancerName"], row["Type"]) for row in rows]
    return sorted(found, key=lambda each: each.name)
