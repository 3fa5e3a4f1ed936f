from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LustreCapacity(Rule):
    """The FSx for Lustre capacity is 1200 GiB, 2400 GiB, or a multiple of 2400 GiB (`capacity_gib`).

    Without this check FSx rejects the file system with BadRequest, "StorageCapacity: Invalid storage capacity
    provided", and the storage stack rolls back.
    """

    id = "E4001"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        row = (
            context.catalog.lustre_deployments.get(lustre.deployment_type.value.upper()) if lustre is not None else None
        )
        if lustre is None or row is None or lustre.capacity_gib is None or row.allows_capacity(lustre.capacity_gib):
            return
        sizes = f"{listed(row.first_capacities_gib)} GiB, then multiples of {row.capacity_step_gib} GiB"
        yield Violation(
            ("storage", "lustre", "capacity_gib"),
            f"capacity_gib is {lustre.capacity_gib}; {lustre.deployment_type.value} allows {sizes}",
            f"write {listed(row.nearest_capacities(lustre.capacity_gib), 'or')}",
        )
