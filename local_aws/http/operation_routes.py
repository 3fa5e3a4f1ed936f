"""Which operation a request asks for, by botocore's model of the service; moto's routers read it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from botocore.model import OperationNotFoundError
from moto.core.model import OperationModel
from moto.core.request import Request
from moto.core.routing import get_service_router
from moto.core.utils import get_service_model
from werkzeug.exceptions import NotFound

from local_aws.http.kept_body import Environ

AskedOperation = tuple[OperationModel, dict[str, Any], Request]
"""The operation, the parameters in the path, and the request as it was read to find them."""

SIGNING_NAMES = {
    "cloudcontrol": "cloudcontrolapi",
    "cloudwatch": "monitoring",
    "efs": "elasticfilesystem",
    "elbv2": "elasticloadbalancing",
    "service-quotas": "servicequotas",
}
"""Where it is not botocore's name of the service; to read it in the model takes 30 ms of each start."""


class OperationRoutes:
    """The services that are read before moto gets a request, by the name that signatures have for them."""

    def __init__(self, services: Iterable[str], under_fault: Callable[[str], Collection[str]]) -> None:
        """``under_fault`` returns, of a signing name, the services of which a call has a fault now."""
        self._under_fault = under_fault
        self._services: dict[str, list[str]] = {}
        for service in sorted(services):
            self._services.setdefault(SIGNING_NAMES.get(service, service), []).append(service)

    def services(self, signing_name: str) -> Sequence[str]:
        ours = self._services.get(signing_name, [])
        return [*ours, *sorted(set(self._under_fault(signing_name)).difference(ours))]


def asked_operation(service: str, environ: Environ) -> AskedOperation | None:
    """None where the service has no operation for this request."""
    _write_out_target(service, environ)
    request = Request(environ)
    try:
        return *get_service_router(service).match(request), request
    except (NotFound, OperationNotFoundError):
        return None


def _write_out_target(service: str, environ: Environ) -> None:
    """Gives a JSON operation the prefix that botocore's model has, with a namespace for a few services.

    SDKs made of Smithy models, such as that of the CDK command, send the last part alone; AWS takes both.
    """
    prefix = get_service_model(service).metadata.get("targetPrefix", "")
    given, _, operation = environ.get("HTTP_X_AMZ_TARGET", "").rpartition(".")
    if given and given == prefix.rpartition(".")[2]:
        environ["HTTP_X_AMZ_TARGET"] = f"{prefix}.{operation}"
