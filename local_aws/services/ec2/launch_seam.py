"""Where all of moto's launches meet: what no call of RunInstances has judged becomes one.

moto's Batch, fleets and Spot requests launch instances by its own function, below every check of a call.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any

from botocore.exceptions import ClientError
from moto.ec2.models.instances import InstanceBackend

from local_aws.contract import call_of
from local_aws.http.caught_errors import passed_on
from local_aws.services.ec2.images import resolved_id
from local_aws.services.overrides import override

_judged: ContextVar[bool] = ContextVar("_judged", default=False)
KEY_OF_BATCH = "AWS_OWNED"
"""The key pair that moto's Batch names where a compute environment has none."""
TOLD_BY_CALLER = ("_fleet_id", "_spot_fleet_id")


@contextlib.contextmanager
def evaluated() -> Iterator[None]:
    """Marks launches of moto in the block as checked, as RunInstances checks them."""
    token = _judged.set(True)
    try:
        yield
    finally:
        _judged.reset(token)


@override(InstanceBackend, "run_instances")
def run_instances(
    original: Any,
    backend: Any,
    image_id: str,
    count: int,
    user_data: Any,
    security_group_names: list[str],
    **options: Any,
) -> Any:
    """EC2 reads a parameter that names the image at the launch, so that new instances start from the newest one.

    Source: inferred: that a service which launches instances answers in the words of EC2
    """
    if _judged.get():
        known = resolved_id(backend, image_id) if image_id else image_id
        return original(known, count, user_data, security_group_names, **options)
    request = _request(image_id, user_data, security_group_names, options)
    ec2 = call_of(backend, "ec2", "RunInstances").client("ec2")
    try:
        answer = ec2.run_instances(MinCount=count, MaxCount=count, **request)
    except ClientError as error:
        raise passed_on(error) from error
    reservation = backend.reservations[answer["ReservationId"]]
    for instance in reservation.instances:
        for member in TOLD_BY_CALLER:
            setattr(instance, member, options.get(member.removeprefix("_")))
    return reservation


def _request(image_id: str, user_data: Any, security_groups: list[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of RunInstances for the arguments of moto's function."""
    tags = options.get("tags") or {}
    given = {
        "ImageId": image_id,
        "UserData": str(user_data) if user_data is not None else None,
        "SecurityGroups": security_groups,
        "SecurityGroupIds": options.get("security_group_ids"),
        "InstanceType": options.get("instance_type"),
        "SubnetId": options.get("subnet_id"),
        "KeyName": options.get("key_name") if options.get("key_name") != KEY_OF_BATCH else None,
        "InstanceMarketOptions": {"MarketType": "spot"} if options.get("lifecycle") == "spot" else None,
        "TagSpecifications": [
            {"ResourceType": kind, "Tags": [{"Key": key, "Value": value} for key, value in named.items()]}
            for kind, named in tags.items()
            if kind in ("instance", "volume") and named
        ],
    }
    return {name: value for name, value in given.items() if value}
