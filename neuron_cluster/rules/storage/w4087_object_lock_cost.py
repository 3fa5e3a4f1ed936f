from __future__ import annotations

from neuron_cluster.checkpoints.monthly_cost import locked_line
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class ObjectLockCost(Rule):
    """Object Lock keeps checkpoints no longer than the bucket does without it (`object_lock.days`).

    A training deletes its older checkpoints, and the bucket expires their versions. A retention that is longer keeps
    all of them until it ends: lifecycle rules and deletions leave only markers.

    Without this check AWS reports no error.
    """

    id = "W4087"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html"
    proposes = ("object_lock",)

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        lock = plan.storage.bucket.object_lock if plan.storage is not None and plan.storage.bucket is not None else None
        found = checkpoint_storage(plan.storage, plan.region, context.catalog)
        if lock is None or found is None or found.given is None or found.spec.bucket is None:
            return
        bucket = found.spec.bucket
        line = locked_line(found.spec, found.given.assessment, lock.days, found.region, context.catalog)
        if line is None:
            return
        costs = f", {line.usd:,.0f} USD a month" if line.usd is not None else ""
        yield Violation(
            (*lock.path, "days"),
            f"Object Lock keeps deleted checkpoints for {lock.days} days: {line.formula}{costs}",
            f"set days: {(bucket.expire_days or 0) + bucket.noncurrent_days}, or remove object_lock and protect "
            "golden checkpoints by replication",
        )
