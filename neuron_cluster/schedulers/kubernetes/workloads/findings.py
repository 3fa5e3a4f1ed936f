"""Findings about a workload: each names the value of the chart or the option of the command."""

from __future__ import annotations

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, Location


def finding(finding_id: str, chart: str, path: str, message: str, hint: str) -> Finding:
    """About a value of the chart (``queue.name``) or an option of the command (``--group``)."""
    return Finding(finding_id, Location(f"charts/{chart}", path=path), message, hint)


def invalid_workload(*findings: Finding) -> InvalidEnvironment:
    """To be raised: the command line prints its findings."""
    return InvalidEnvironment(findings)
