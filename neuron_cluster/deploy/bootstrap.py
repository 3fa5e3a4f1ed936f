"""Names of what ``cdk bootstrap`` makes in an account and Region, which all hold its qualifier."""

from __future__ import annotations

import json
from pathlib import Path

from neuron_cluster.aws.ssm import parameter
from neuron_cluster.deploy.destination import Destination

DEFAULT_QUALIFIER = "hnb659fds"
"""The qualifier of CDK's default synthesizer."""

QUALIFIER_KEY = "@aws-cdk/core:bootstrapQualifier"
"""In the context of ``cdk.json``, for accounts that are bootstrapped with ``cdk bootstrap --qualifier``."""


def qualifier_of(project: Path) -> str:
    """With which the app of this project expects the account to be bootstrapped."""
    settings = json.loads((project / "cdk.json").read_text(encoding="utf-8"))
    return str(settings.get("context", {}).get(QUALIFIER_KEY, DEFAULT_QUALIFIER))


PARAMETERS = "/cdk-bootstrap/"
"""Path of the SSM parameters that ``cdk bootstrap`` writes, one for each qualifier."""


def version_parameter(qualifier: str = DEFAULT_QUALIFIER) -> str:
    """Name of the SSM parameter of this qualifier."""
    return f"{PARAMETERS}{qualifier}/version"


def is_bootstrapped(destination: Destination, qualifier: str = DEFAULT_QUALIFIER) -> bool:
    """Whether CDK has its bucket and roles in this account and Region."""
    return parameter(destination.target, version_parameter(qualifier)) is not None
