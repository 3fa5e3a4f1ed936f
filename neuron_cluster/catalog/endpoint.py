"""VPC endpoints that a cluster in a network without NAT requires, with their purpose."""

from __future__ import annotations

from typing import Literal

from neuron_cluster.catalog.sourced_row import SourcedRow

EndpointUser = Literal[
    "nodes",
    "workstations",
    "express",
    "slurm",
    "hyperpod",
    "hyperpod_slurm",
    "hyperpod_training_operator",
    "sagemaker_training",
]
"""Parts of an environment that call AWS services."""


class EndpointService(SourcedRow, frozen=True, kw_only=True):
    """One service; ``name`` is its name in the environment file (``ecr.api``)."""

    kind: Literal["interface", "gateway"]
    service_name_pattern: str
    reason: str
    required_by: tuple[EndpointUser, ...] = ()
    """The parts that need it in a network without NAT; empty where the service is optional."""
    used_by: tuple[str, ...] = ()
    """The callers of an optional service: components of ``eks.addons``, parts of them, or names of ``required_by``."""
    calls: tuple[str, ...] = ()
    """IAM actions that every caller needs, for policies of endpoints; not all that it may use."""
    bucket_pattern: str = ""
    """S3 bucket of AWS from which callers of the service then read objects."""
    is_chosen: bool = False
    """Whether a file without ``network.endpoints`` has none, also without NAT: it keeps what it had."""

    def service_name(self, region: str) -> str:
        """The endpoint service's full name in a Region, such as ``com.amazonaws.us-west-2.ecr.api``."""
        return self.service_name_pattern.format(region=region)
