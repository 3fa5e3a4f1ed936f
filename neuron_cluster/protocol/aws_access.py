"""One account and Region, of AWS or of the local AWS, as a provider calls it."""

from __future__ import annotations

from typing import Protocol

from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.catalog import Catalog


class AwsAccess(Protocol):
    """The account and Region to which an environment is deployed."""

    @property
    def target(self) -> Target:
        """The target of clients: the Region and endpoint for which they are made."""

    @property
    def is_local(self) -> bool:
        """Whether it is the local AWS."""

    @property
    def catalog(self) -> Catalog:
        """The catalog that answers of services are compared with."""

    def aws_command(self, operation: str, **options: str) -> str:
        """A command of the AWS CLI for this Region and endpoint, in shell syntax."""
