from __future__ import annotations

from neuron_cluster.checkpoints.request import invalid_fields
from neuron_cluster.resolved.checkpoints import checkpoint_group, checkpoint_request, checkpoint_writers
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CheckpointsNotPlannable(Rule):
    """The keys of `storage.checkpoints` define one size and one layout of a checkpoint.

    Without this check the numbers of `plan` would be those of another training: NeuronX Distributed writes a file for
    each tensor and rank, so parallelism decides the number of files, and with it the time of a save.
    """

    id = "E4012"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/libraries/neuronx-distributed/api-reference-guide-training.html"
    proposes = ("model", "precision", "tensors_per_rank")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        section = storage.checkpoints if storage is not None else None
        group = checkpoint_group(context.environment, section) if section is not None else None
        writers = checkpoint_writers(group) if group is not None else None
        if section is None or writers is None:
            return  # rule E4011, or an instance type that the catalog does not know
        for invalid in invalid_fields(checkpoint_request(section), writers, context.catalog):
            yield Violation(("storage", "checkpoints", invalid.field), invalid.message, invalid.hint)
