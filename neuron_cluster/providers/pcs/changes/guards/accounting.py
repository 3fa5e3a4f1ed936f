"""Accounting that is turned off."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.property_changes import value_at
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER

MODE = ("SlurmConfiguration", "Accounting", "Mode")


class SlurmAccountingOff(Guard):
    """Accounting stays on (`slurm.accounting`).

    What PCS does with the records of jobs and users, and whether the update is accepted, is not documented clearly.
    """

    id = "W9064"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_clusters_update.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        doubt = comparison.catalog.slurm_doubts["accounting_off"]
        for address in sorted(comparison.updated):
            if comparison.type_of(address) != CLUSTER:
                continue
            modes = [value_at(stacks.properties(address), MODE) for stacks in (comparison.before, comparison.after)]
            if modes == ["STANDARD", "NONE"]:
                yield Violation(
                    address,
                    f"accounting of {name_in(comparison, address)} is turned off: {doubt.unknown}",
                    "export the records with `sacct` and `sacctmgr dump` first, or write accounting: true",
                )
