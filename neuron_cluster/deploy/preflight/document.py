"""The preflight of an environment as `preflight --format json` prints it."""

from __future__ import annotations

from typing import Any

from neuron_cluster.deploy.preflight.results import CheckResult, EnvironmentPreflight, worst


def preflight_as_data(found: EnvironmentPreflight) -> dict[str, Any]:
    return {
        "environment": found.environment,
        "account": found.account,
        "region": found.region,
        "at": found.at.isoformat(timespec="seconds"),
        "verdict": worst(found.results).value,
        "is_complete": not any(result.is_unchecked for result in found.results),
        "parts": [
            {
                "title": part.value,
                "verdict": worst(found.of(part)).value,
                "checks": [_check(result) for result in found.of(part)],
            }
            for part in found.parts
        ],
        "not_looked_at": list(found.not_looked_at),
    }


def _check(result: CheckResult) -> dict[str, Any]:
    return {
        "what": result.check.what,
        "verdict": result.verdict.value,
        "subjects": list(result.subjects),
        "reason": result.reason or None,
        "permissions": list(result.check.permissions),
        "findings": [finding.as_dict() for finding in result.findings],
    }
