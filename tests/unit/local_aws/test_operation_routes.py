"""Which services a request may be for, by the name in its signature."""

from __future__ import annotations

from moto.core.utils import get_service_model

from local_aws.api_errors import error_services
from local_aws.http.protocol import SIGNING_NAMES
from local_aws.registry import GUARDS, OPERATIONS
from local_aws.resource_types.binding import bindings
from local_aws.server import LocalAws


def test_signing_names_are_those_of_the_models(local_aws: LocalAws) -> None:
    """Its start has registered the operations."""
    bound = {binding.service for binding in bindings().values()}
    for service in {*(service for service, _ in (*OPERATIONS, *GUARDS)), *bound, *error_services(), *SIGNING_NAMES}:
        assert SIGNING_NAMES.get(service, service) == get_service_model(service).signing_name
