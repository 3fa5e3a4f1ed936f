from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class PermissionSetNotInLock(Rule):
    """The lock has the IAM role of every permission set of a team (`teams[].permission_sets`).

    Its name ends in 16 digits that IAM Identity Center chooses, and EKS takes no wildcard. After the last assignment
    of the permission set to the account is removed, the next one creates a role of another name: `neuron-cluster lock
    NAME --check` finds the change.

    Without this check AWS reports no error. The permission set has no access entry, and the Kubernetes API rejects the
    requests of its people as Unauthorized.
    """

    id = "W2080"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html"

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        if context.environment.config.section(Eks) is None:
            return
        locked = lock.permission_sets if lock is not None else {}
        for number, team in enumerate(context.environment.config.teams):
            for position, name in enumerate(team.permission_sets):
                if name not in locked:
                    yield Violation(
                        ("teams", number, "permission_sets", position),
                        f"the lock has no role of the permission set {name}, so it gives no access to {team.name}",
                        f"run `{LOCK_IT}`, which queries IAM for the role",
                    )
