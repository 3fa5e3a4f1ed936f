from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class ExistingNetworkNotInLock(Rule):
    """The lock has the VPC and every subnet of `network.existing`.

    The file has their ids. Address ranges, endpoints and routes are in the account; synthesis sends no queries and
    takes them from the lock.

    Without this check addresses are not counted, and a subnet of another VPC is found by CloudFormation.
    """

    id = "E1042"
    needs = Needs.LOCK
    source = "the design of this toolkit: what only an account can return is pinned by the lock"

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        existing = context.environment.config.network.existing
        if existing is None:
            return
        locked = lock.network if lock is not None else None
        lacking = [each.id for each in existing.subnets if locked is None or each.id not in locked.subnets]
        if locked is None:
            message = f"the lock does not have {existing.vpc_id}"
        elif locked.vpc_id != existing.vpc_id:
            message = f"vpc_id is {existing.vpc_id}, but the lock has {locked.vpc_id}"
        elif lacking:
            message = f"the lock does not have {listed(lacking)}"
        else:
            return
        yield Violation(("network", "existing"), message, f"run `{LOCK_IT}`, which queries the VPC and its subnets")
