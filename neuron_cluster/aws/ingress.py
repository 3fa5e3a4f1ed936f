"""Who reaches a port through security groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, collapse_addresses
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

ALL_PROTOCOLS, TCP = "-1", "tcp"


class IngressRule(Struct, frozen=True):
    """An ingress rule of a security group; ports are None for a rule of all protocols."""

    protocol: str
    first_port: int | None
    last_port: int | None
    cidrs: tuple[str, ...]
    group_ids: tuple[str, ...]
    has_prefix_list: bool
    """Whether it also admits the addresses of a prefix list, which are not read."""

    def opens(self, port: int) -> bool:
        """Whether the rule is about this port of TCP."""
        if self.protocol == ALL_PROTOCOLS:
            return True
        first, last = self.first_port, self.last_port
        return self.protocol == TCP and first is not None and last is not None and first <= port <= last


def ingress_rules(target: Target, group_ids: Sequence[str]) -> dict[str, tuple[IngressRule, ...]]:
    """The ingress rules of these security groups by id, without groups that do not exist."""
    if not group_ids:
        return {}
    with translated():
        named = [{"Name": "group-id", "Values": list(group_ids)}]
        groups = client(target, "ec2").describe_security_groups(Filters=named)["SecurityGroups"]
    return {each["GroupId"]: tuple(map(_rule, each.get("IpPermissions", ()))) for each in groups}


def closed_to(rules: Iterable[IngressRule], port: int, group_ids: Iterable[str], cidrs: Iterable[str]) -> list[str]:
    """Returns the address ranges that no rule admits at the port; none where a rule admits one of the groups.

    A rule with a prefix list counts as one for every address.
    """
    opening = [rule for rule in rules if rule.opens(port)]
    groups = {group for rule in opening for group in rule.group_ids}
    if groups & {*group_ids} or any(rule.has_prefix_list for rule in opening):
        return []
    admitted = list(collapse_addresses(IPv4Network(cidr) for rule in opening for cidr in rule.cidrs))
    return [cidr for cidr in cidrs if not any(IPv4Network(cidr).subnet_of(each) for each in admitted)]


def _rule(row: dict[str, Any]) -> IngressRule:
    return IngressRule(
        protocol=row["IpProtocol"],
        first_port=row.get("FromPort"),
        last_port=row.get("ToPort"),
        cidrs=tuple(each["CidrIp"] for each in row.get("IpRanges", ())),
        group_ids=tuple(each["GroupId"] for each in row.get("UserIdGroupPairs", ())),
        has_prefix_list=bool(row.get("PrefixListIds")),
    )
