"""Instance types that there are: those of the catalog, and those that moto lists."""

from __future__ import annotations

from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import knowledge


def exists(name: str) -> bool:
    return name in knowledge().instance_types or name in _of_moto()


def require_instance_type(name: str) -> None:
    """Raises ServiceError for a type that nobody knows."""
    if not exists(name):
        raise api_error("ec2.instance_type", name=name)


def architectures(name: str) -> list[str]:
    """``x86_64``, ``arm64``; empty where moto does not know the type."""
    found = _of_moto().get(name, {}).get("ProcessorInfo", {}).get("SupportedArchitectures", [])
    return [str(each) for each in found]


def supports_efa(name: str) -> bool:
    """Also where moto does not know the type."""
    return bool(_of_moto().get(name, {}).get("NetworkInfo", {}).get("EfaSupported", True))


def _of_moto() -> dict[str, Any]:
    """Imported late: checks import this module before the local AWS has made moto's EC2 quick to import."""
    from moto.ec2.models.instance_types import INSTANCE_TYPES

    return INSTANCE_TYPES
