"""Rules that compare the file system of an environment with its checkpoints."""

from __future__ import annotations

import abc

from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violations


class CheckpointRule(Rule):
    """Silent where no checkpoints are planned."""

    needs = Needs.PLAN

    def check(self, context: RuleContext) -> Violations:
        found = checkpoint_storage(context.plan.storage, context.plan.region, context.catalog)
        if found is not None and found.given is not None:
            yield from self.compare(found, found.given.assessment)

    @abc.abstractmethod
    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        """``assessment`` is that of the file system of the environment."""
