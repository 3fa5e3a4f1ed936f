"""Images on instance types for which they are not made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.virtual_environments import has_for
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class DlamiWithoutTheFamily(ConfigRule):
    """The image of a workstation supports the family of its instance type.

    Without this check AWS reports no error. The machine starts, and its driver does not find the chips, or the
    frameworks of the image do not know them: `neuron-ls` shows no device, or compiling fails with an unsupported
    target.
    """

    id = "E7002"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("virtual_environment",)
    references = ("awslabs/amazon-eks-ami#2579", "aws/amazon-ecs-ami#557")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for workstation in environment.workstations:
            row, dlami = workstation.instance_type, workstation.dlami
            if row is None or dlami is None or row.family in dlami.families:
                continue
            fitting = [other for other in catalog.dlamis if row.family in other.families]
            wanted = workstation.spec.virtual_environment
            same = [other for other in fitting if wanted is None or has_for(wanted, other, row.chip, catalog)]
            others = [other.name for other in same or fitting]
            hint = f"set instance_type to one of {listed(dlami.families, 'or')}"
            without = "" if same else " without virtual_environment"
            yield Violation(
                (*workstation.path, "dlami"),
                f"{dlami.name} is made for {listed(dlami.families)}, but instance_type is {row.name}",
                f"{hint}, or set dlami: {listed(others, 'or')}{without}" if others else hint,
            )
