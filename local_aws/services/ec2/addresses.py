"""Elastic IP addresses: moto takes any number."""

from __future__ import annotations

from local_aws.contract import Call
from local_aws.quotas import require_addresses
from local_aws.registry import guard


@guard("ec2", "AllocateAddress", last=True)
def require_quota(call: Call) -> None:
    require_addresses(call, 1)
