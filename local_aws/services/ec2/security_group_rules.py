"""Rules and names of security groups that EC2 rejects: ports, ICMP types, descriptions.

Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_IpPermission.html and API_CreateSecurityGroup.html;
badmintoncryer/cdk-preflight has the words, as EC2 answered
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.guards import guard
from local_aws.knowledge.current import limit
from local_aws.service import Call, ServiceError

WITH_PORTS = frozenset({"tcp", "6", "udp", "17"})
ICMP = frozenset({"icmp", "1", "icmpv6", "58"})
ANY = -1
DESCRIPTION = re.compile(r"[a-zA-Z0-9. _\-:/()#,@\[\]+=&;{}!$*]{0,255}")
PEERS = ("IpRanges", "Ipv6Ranges", "UserIdGroupPairs", "PrefixListIds")
RESERVED_PREFIX, RESERVED_NAME = "sg-", "default"


@guard("ec2", "CreateSecurityGroup", first=True)
def require_group_name(call: Call) -> None:
    """That its VPC has a group of that name already, moto says."""
    name, description = call.parameters.get("GroupName", ""), call.parameters.get("Description", "")
    if name.startswith(RESERVED_PREFIX):
        words = f"Value ({name}) for parameter GroupName is invalid. Group names may not be in the format sg-*."
        raise ServiceError("InvalidParameterValue", words)
    for member, text in (("GroupName", name), ("GroupDescription", description)):
        if not DESCRIPTION.fullmatch(text):
            raise ServiceError(
                "InvalidParameterValue",
                f"Value ({text}) for parameter {member} is invalid. Character sets beyond ASCII are not supported.",
            )


@guard(
    "ec2",
    "AuthorizeSecurityGroupIngress",
    "AuthorizeSecurityGroupEgress",
    "UpdateSecurityGroupRuleDescriptionsIngress",
    "UpdateSecurityGroupRuleDescriptionsEgress",
)
def require_permissions(call: Call) -> None:
    """That a block of addresses is malformed, moto says."""
    for permission in call.parameters.get("IpPermissions") or [call.parameters]:
        for words in (*_port_faults(permission), *_description_faults(permission)):
            raise ServiceError("InvalidParameterValue", words)


def _port_faults(permission: Mapping[str, Any]) -> Iterator[str]:
    protocol = str(permission.get("IpProtocol", "")).lower()
    first, last = permission.get("FromPort"), permission.get("ToPort")
    if protocol in WITH_PORTS:
        if first is None or last is None:
            yield "Invalid value 'Must specify both from and to ports with TCP/UDP.' for portRange."
            return
        highest = limit("port").require_maximum()
        for end, port in (("from", first), ("to", last)):
            if not 0 <= port <= highest:
                yield f"TCP/UDP ({end}) port ({port}) out of range"
        if first > last:
            yield f"Invalid TCP/UDP port range ({first}:{last})"
    if protocol in ICMP:
        highest = limit("icmp_type").require_maximum()
        for kind, number in (("type", first), ("code", last)):
            if number is not None and not ANY <= number <= highest:
                yield f"ICMP {kind} ({number}) out of range"


def _description_faults(permission: Mapping[str, Any]) -> Iterator[str]:
    for peers in PEERS:
        for peer in permission.get(peers, []):
            if not DESCRIPTION.fullmatch(peer.get("Description", "")):
                yield (
                    "Invalid rule description. Valid descriptions are strings less than 256 characters from the "
                    "following set:  a-zA-Z0-9. _-:/()#,@[]+=&;{}!$*"
                )
