"""StartInstances: refused where EC2 has no place for the machines (any more)."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from local_aws.guards import guard
from local_aws.launch import Launch, Zone
from local_aws.launches import require_launchable
from local_aws.reservations import assign_reservations, reservations
from local_aws.service import Call


@guard("ec2", "StartInstances")
def require_capacity_to_start(call: Call) -> None:
    """A stopped machine has no place: neither in a reservation nor in the quota."""
    wanted: Counter[Launch] = Counter()
    for instance in call.moto_backend("ec2").all_instances():
        is_asked = instance.id in call.parameters["InstanceIds"] and instance.state == "stopped"
        if is_asked and instance.launch is not None:
            subnet = instance.ec2_backend.get_subnet(instance.subnet_id)
            zones = (Zone(subnet.availability_zone_id, subnet.availability_zone),)
            # Its type may have been changed since it was launched.
            wanted[replace(instance.launch, instance_type=instance.instance_type, zones=zones)] += 1
    for launch, count in wanted.items():
        require_launchable(call, replace(launch, count=count))


@guard("ec2", "DescribeInstances")
def tell_reservations(call: Call) -> None:
    """Instances tell the reservation that they run in."""
    if reservations(call):
        assign_reservations(call)
