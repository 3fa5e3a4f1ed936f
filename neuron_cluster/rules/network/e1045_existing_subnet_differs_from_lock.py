from __future__ import annotations

from neuron_cluster.config.existing_network import SubnetKind
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations

INTERNET = "internet_gateway"


class ExistingSubnetDiffersFromLock(Rule):
    """The zone and the kind of an existing subnet are those of the account (`network.existing`).

    The default route of a public subnet leads to an internet gateway. In such a subnet nodes, which get no public
    address, reach neither the internet nor AWS APIs.

    Without this check a node group of another zone than its file system is found by the first mount, and nodes in a
    public subnet never join the cluster: NodeCreationFailure after half an hour.
    """

    id = "E1045"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-igw-internet-access.html"

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        existing = context.environment.config.network.existing
        if existing is None or lock is None or lock.network is None:
            return
        for position, subnet in enumerate(existing.subnets):
            locked, path = lock.network.subnets.get(subnet.id), ("network", "existing", "subnets", position)
            if locked is None:  # rule E1042
                continue
            if locked.availability_zone != subnet.availability_zone:
                yield Violation(
                    (*path, "availability_zone"),
                    f"availability_zone is {subnet.availability_zone}, but {subnet.id} is in "
                    f"{locked.availability_zone}",
                    f"write {locked.availability_zone}, or name a subnet of {subnet.availability_zone}",
                )
            has_internet, is_public = locked.route == INTERNET, subnet.kind is SubnetKind.PUBLIC
            if has_internet is not is_public:
                has = "has a" if has_internet else "has no"
                yield Violation(
                    (*path, "kind"),
                    f"kind is {subnet.kind}, but {subnet.id} {has} default route to an internet gateway",
                    f"write {'public' if has_internet else 'private'}, or name another subnet",
                )
