"""One account and Region, of AWS or of the local AWS, as a provider calls it."""

from __future__ import annotations

from typing import Protocol

from neuron_cluster.aws.session import Target


class AwsAccess(Protocol):
    """Where an environment is deployed."""

    @property
    def target(self) -> Target:
        """What clients are made for."""

    @property
    def is_local(self) -> bool:
        """Whether it is the local AWS."""

    def aws_command(self, operation: str, **options: str) -> str:
        """A command of the AWS CLI for this Region and endpoint, in shell syntax."""
