from __future__ import annotations

from neuron_cluster.config.environment_config import Lifecycle
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CheckpointsWithoutDrill(Rule):
    """A durable environment restores a checkpoint on a schedule (`storage.checkpoints.drill`).

    Automatic export promises no order, marks of frameworks can be there before all data is, and a full file system
    truncates files: only a restore shows that a checkpoint is complete.

    Without this check AWS reports no error. A checkpoint that cannot be loaded is found when it is needed.
    """

    id = "W4035"
    source = (
        "https://docs.aws.amazon.com/wellarchitected/latest/reliability-pillar/"
        "rel_backing_up_data_periodic_recovery_testing_data.html"
    )
    proposes = ("drill", "lifecycle")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        section = config.storage.checkpoints if config.storage is not None else None
        if section is None or section.drill is not None or config.lifecycle is not Lifecycle.DURABLE:
            return
        yield Violation(
            ("storage", "checkpoints"),
            "lifecycle is durable, but no restore of a checkpoint is scheduled (drill)",
            'write drill: "@weekly" and submit the chart model-store with job=drill, or set lifecycle: ephemeral',
        )
