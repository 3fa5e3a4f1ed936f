"""A setting that a service reports otherwise than the file has it."""

from __future__ import annotations

from neuron_cluster.findings.finding import Finding, Location


def difference(where: str, what: str, reported: str, of_file: str, hint: str) -> Finding:
    """W9652 for one resource. CloudFormation compares templates, so a deploy without a change leaves it."""
    return Finding("W9652", Location(where), f"{what}: the service reports {reported}, the file has {of_file}", hint)
