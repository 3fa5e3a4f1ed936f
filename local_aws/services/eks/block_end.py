"""The end of a capacity block: EKS scales the groups in it to 0 forty minutes before, once.

It makes a scheduled action of the Auto Scaling group: "Amazon EKS Node Group Capacity Scaledown Before Reservation
End".
Source: https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html
"""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.reservations import reservations
from local_aws.services.eks.auto_scaling import reservations_of
from local_aws.services.eks.nodes import end_nodes
from local_aws.services.eks.tables import Row, now

SCALED_DOWN_BEFORE = timedelta(minutes=40)
DONE = "scaled-down-for-block"
"""The reservation before whose end each group was scaled down."""


@guard("eks", "DescribeNodegroup", "UpdateNodegroupConfig", "UpdateNodegroupVersion", "DeleteNodegroup", first=True)
@guard("ec2", "DescribeCapacityReservations", "DescribeCapacityBlockStatus", "RunInstances", first=True)
def scale_down(call: Call) -> None:
    """Does what was due by now, before anybody looks."""
    of_eks = replace(call, service="eks")
    for cluster in list(of_eks.table("clusters")):
        for group in list(of_eks.table(f"nodegroups/{cluster}").values()):
            _scale_down(of_eks, group)


def _scale_down(call: Call, group: Row) -> None:
    if group["capacityType"] != "CAPACITY_BLOCK":
        return
    for reservation_id in reservations_of(call, group):
        block = reservations(call).get(reservation_id or "")
        if block is None:
            continue
        done = call.table(DONE)
        if CLOCK.now() < block["EndDate"] - SCALED_DOWN_BEFORE or done.get(group["nodegroupArn"]) == reservation_id:
            continue
        done[group["nodegroupArn"]] = reservation_id
        end_nodes(call, group)
        group["scalingConfig"] = {**group["scalingConfig"], "minSize": 0, "desiredSize": 0}
        group["modifiedAt"] = now()
