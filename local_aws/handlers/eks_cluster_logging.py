"""Control plane logs: CloudFormation lists the types that are on, the API sets them in groups of on and off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ParamValidationError

from local_aws.engine.provider import Properties


def api_logging(properties: Properties) -> dict[str, Any]:
    """The properties with ``Logging`` as the API takes it. Raises ParamValidationError for an unknown member."""
    if "Logging" not in properties:
        return dict(properties)
    types = [
        _only(each, "Type") for each in _only(_only(properties["Logging"], "ClusterLogging", {}), "EnabledTypes", [])
    ]
    setups = [{"Types": types, "Enabled": True}] if types else []
    return {**properties, "Logging": {"ClusterLogging": setups}}


def property_logging(properties: Properties) -> dict[str, Any]:
    """The properties with ``Logging`` as CloudFormation writes it."""
    setups = properties.get("Logging", {}).get("ClusterLogging", [])
    types = [each for setup in setups if setup["Enabled"] for each in setup["Types"]]
    return {**properties, "Logging": {"ClusterLogging": {"EnabledTypes": [{"Type": each} for each in types]}}}


def _only(structure: Any, member: str, default: Any = None) -> Any:
    """The one member that the structure may have."""
    if not isinstance(structure, Mapping) or set(structure) - {member}:
        raise ParamValidationError(report=f"Logging of AWS::EKS::Cluster: expected {member} alone, got {structure!r}")
    return structure.get(member, default)
