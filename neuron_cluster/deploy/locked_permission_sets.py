"""The IAM roles of permission sets, as the lock pins them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neuron_cluster.aws.iam import role_arns
from neuron_cluster.aws.session import Target
from neuron_cluster.config.permission_set import ROLE_PATH, permission_set_of
from neuron_cluster.errors import ToolkitError

NOTHING_WRITTEN = "nothing was written"


def locked_permission_sets(target: Target, account: str, names: Sequence[str]) -> Mapping[str, str]:
    """ARN of the one role of each permission set. Raises ``ToolkitError`` for one without a role, or with several."""
    found: dict[str, list[str]] = {}
    for arn in role_arns(target, ROLE_PATH):
        found.setdefault(permission_set_of(arn) or "", []).append(arn)
    missing = [name for name in names if name not in found]
    if missing:
        assigned = sorted(name for name in found if name)
        raise ToolkitError(
            f"account {account} has no role of the permission sets {', '.join(missing)}; those that have one: "
            f"{', '.join(assigned) or 'none'}",
            hint="correct teams[].permission_sets, or assign the permission set to the account: IAM Identity Center "
            f"creates the role then; {NOTHING_WRITTEN}",
        )
    several = [arn for name in names if len(found[name]) > 1 for arn in found[name]]
    if several:
        raise ToolkitError(
            f"account {account} has several roles of one permission set, of two instances of IAM Identity "
            f"Center: {', '.join(several)}",
            hint="remove the name from teams[].permission_sets and write the ARN that you mean into teams[].members; "
            f"{NOTHING_WRITTEN}",
        )
    return {name: found[name][0] for name in names}
