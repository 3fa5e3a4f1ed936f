from __future__ import annotations

from neuron_cluster.config.capacity import Reservation, UltraserverBlock
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.compute.e3024_reservation_attributes_differ import differences


class ReservationOfTwoOrchestrators(Rule):
    """Groups of two orchestrators do not use one reservation or capacity block (`capacity.reservation_id`).

    Each orchestrator starts instances for its own jobs and does not know what the other has started. Groups of one
    orchestrator, and workstations, which nothing scales, are a warning (rule W3025); for UltraServer blocks see E3048.

    Without this check AWS reports the error late. Which cluster gets an instance is decided by who asks first: the
    other one fails with ReservationCapacityExceeded, and its jobs wait for capacity that its scheduler counts as free.
    """

    id = "E3075"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-split.html; "
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html"
    )

    def check(self, context: RuleContext) -> Violations:
        seen: dict[str, list[ComputeGroup]] = {}
        for group in context.environment.cluster_groups:
            if group.reservation_id is None or isinstance(group.capacity, UltraserverBlock):  # rule E3048
                continue
            before = seen.setdefault(group.reservation_id, [])
            other = next((each for each in before if are_of_two_providers(each, group)), None)
            before.append(group)
            if other is not None and not any(differences(other, group)):  # rule E3024
                yield Violation(
                    (*group.path, "capacity", "reservation_id"),
                    f"{other.name} of {other.provider} and {group.name} of {group.provider} share "
                    f"{group.reservation_id}, and neither orchestrator knows what the other one has started",
                    f"{_own_capacity(group)}; or move both groups to {other.provider} or {group.provider}",
                    related=(other.path,),
                )


def are_of_two_providers(one: ComputeGroup, other: ComputeGroup) -> bool:
    """Whether each is scaled by another orchestrator; a workstation is not scaled."""
    return one.provider != other.provider and not (one.is_workstation or other.is_workstation)


def _own_capacity(group: ComputeGroup) -> str:
    if not isinstance(group.capacity, Reservation):
        return f"set the reservation_id of another block for {group.name} (EC2 does not split a capacity block)"
    count = group.scaling.maximum or max(group.scaling.minimum, 1)
    return (
        f"split the reservation with `aws ec2 create-capacity-reservation-by-splitting "
        f"--source-capacity-reservation-id {group.reservation_id} --instance-count {count}`, and set the new "
        f"reservation_id for {group.name}"
    )
