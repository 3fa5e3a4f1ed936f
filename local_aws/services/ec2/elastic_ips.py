"""Elastic IP addresses: no release while associated."""

from __future__ import annotations

from typing import Any

from moto.ec2.models.elastic_ip_addresses import ElasticAddressBackend

from local_aws.api_errors import api_error
from local_aws.services.overrides import override


@override(ElasticAddressBackend, "release_address")
def release_address(original: Any, backend: Any, address: str | None = None, allocation_id: str | None = None) -> Any:
    """In a VPC an address is first taken off its interface."""
    found = backend.address_by_ip([address]) if address else backend.address_by_allocation([allocation_id])
    if found[0].eni is not None:
        raise api_error("ec2.address_in_use", address=found[0].public_ip)
    return original(address=address, allocation_id=allocation_id)
