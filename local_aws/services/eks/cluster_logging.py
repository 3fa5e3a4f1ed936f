"""Which logs of the control plane go to CloudWatch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.services.eks.tables import Row

LOG_TYPES = ("api", "audit", "authenticator", "controllerManager", "scheduler")


def enabled_types(logging: Mapping[str, Any]) -> list[str]:
    """Log types that are on, in EKS's order."""
    on = {each for setup in logging.get("clusterLogging", []) if setup.get("enabled") for each in setup["types"]}
    return [each for each in LOG_TYPES if each in on]


def logging_state(given: Mapping[str, Any], current: Mapping[str, Any]) -> Row:
    """``logging`` after a request: types that it does not name stay as they are."""
    on = set(enabled_types(current))
    for setup in given.get("clusterLogging", []):
        types = set(setup.get("types", []))
        on = on | types if setup.get("enabled") else on - types
    setups = [
        {"types": [each for each in LOG_TYPES if (each in on) is enabled], "enabled": enabled}
        for enabled in (True, False)
    ]
    return {"clusterLogging": [setup for setup in setups if setup["types"]]}
