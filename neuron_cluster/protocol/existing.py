"""Resources of a provider in an account, read back from its services."""

# ruff: noqa: ARG002 - the defaults use no argument

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.table import Table


class DeployedResources(Struct, frozen=True):
    """Resources that the stacks of an environment have."""

    by_type: Mapping[str, Sequence[str]]
    """Physical ids by CloudFormation type."""
    records: tuple[Mapping[str, Any], ...] | None = None
    """Charts and objects that custom resources requested of the local AWS; None on AWS."""

    def ids(self, resource_type: str) -> Sequence[str]:
        return self.by_type.get(resource_type, ())


class NextStep(Struct, frozen=True):
    """A step of a user after a deploy, as a command that can be copied."""

    what: str
    command: str


class ExistingProvider(Struct, frozen=True):
    """The part of one provider. Its fields are keys of the JSON output of ``deploy``."""

    def tables(self) -> list[Table]:
        """Returns the tables that commands print; a table without rows is not shown."""
        return []

    def findings(self, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
        """Returns a finding for each resource that is not healthy after a deploy, or not of the size of the plan."""
        return []

    def differences(self, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
        """Returns a finding W9652 for each other setting that was read back and differs from the plan."""
        return []

    def next_steps(self, plan: ClusterPlan) -> list[NextStep]:
        """Returns the commands with which users reach what was deployed."""
        return []
