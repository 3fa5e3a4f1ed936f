"""Elastic IP addresses: no release while associated."""

from __future__ import annotations

from typing import Any

from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.elastic_ip_addresses import ElasticAddressBackend

from local_aws.services.overrides import override


@override(ElasticAddressBackend, "release_address")
def release_address(original: Any, backend: Any, address: str | None = None, allocation_id: str | None = None) -> Any:
    """In a VPC an address is first taken off its interface."""
    found = backend.address_by_ip([address]) if address else backend.address_by_allocation([allocation_id])
    if found[0].eni is not None:
        raise EC2ClientError("InvalidIPAddress.InUse", f"Address {found[0].public_ip} is in use.")
    return original(address=address, allocation_id=allocation_id)
