from __future__ import annotations

from neuron_cluster.providers.pcs.groups import login_group
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LoginGroupNotFixed(Rule):
    """The login group has a fixed number of on-demand instances, at least one (`slurm.login`).

    Without this check AWS reports no error. PCS starts no instance for users, because no job asks for one; EC2 ends a
    Spot Instance with the sessions on it.
    """

    id = "E2105"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"
    proposes = ("min", "desired", "capacity")

    def check(self, context: RuleContext) -> Violations:
        group = login_group(context.environment)
        if group is None:
            return
        count = group.spec.count
        if not 1 <= count.min == count.desired == count.max:
            yield Violation(
                (*group.path, "count"),
                f"count of login is min {count.min}, desired {count.desired}, max {count.max}: not a fixed number",
                f"set min and desired to {count.max}",
            )
        if group.capacity.kind != "on_demand":
            yield Violation(
                (*group.path, "capacity", "kind"),
                f"login runs in {group.capacity_display_name}",
                "set kind: on_demand, or remove capacity",
            )
