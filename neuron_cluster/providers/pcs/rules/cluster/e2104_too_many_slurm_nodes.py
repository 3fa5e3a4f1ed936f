from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.plan.build_slurm_plan import maximum_nodes
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TooManySlurmNodes(Rule):
    """The sum of `count.max` of all groups, login included, is within the size of the cluster (`slurm.size`).

    Without this check PCS rejects the group that exceeds it with a ServiceQuotaExceededException, and the stack rolls
    back. The size cannot be changed.
    """

    id = "E2104"
    source = "boto/botocore 1.44.5: pcs CreateClusterRequest size, CreateComputeNodeGroup"
    proposes = ("size",)

    def check(self, context: RuleContext) -> Violations:
        slurm = context.environment.config.section(Slurm)
        if slurm is None:
            return
        nodes, largest = maximum_nodes(slurm), context.catalog.pcs_sizes.rows[-1]
        size = context.catalog.pcs_sizes[slurm.size] if slurm.size is not None else largest
        if nodes <= size.nodes:
            return
        fitting = next((row.name for row in context.catalog.pcs_sizes if nodes <= row.nodes), None)
        lower = f"lower count.max of groups by {nodes - size.nodes}"
        yield Violation(
            ("slurm", "size"),
            f"count.max of login and groups is {nodes} together, and size {size.name} allows {size.nodes} instances",
            f"set size: {fitting}, or {lower}" if fitting is not None else f"{lower}, or use a second environment",
        )
