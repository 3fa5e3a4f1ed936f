"""Volumes of a launch: those of the image under those of the request, within the bounds of their types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.launch import launch_data
from local_aws.registry import guard
from local_aws.services.ec2.images import PublicAmi, known_image
from local_aws.services.ec2.volumes import require_launch_volumes

Mappings = Sequence[Mapping[str, Any]]
ROOTS = ("/dev/sda1", "/dev/xvda")
"""Where images have their root device; that of an image that nobody here knows is taken to be one of them."""
ROOT_OF_MOTO = {"VolumeSize": 8, "DeleteOnTermination": True}
"""The root volume of moto for a machine whose request names no volume."""


@guard("ec2", "RunInstances")
def require_volumes(call: Call) -> None:
    data = launch_data(call)
    given = data.get("BlockDeviceMappings", [])
    image = known_image(call.moto_backend("ec2"), data.get("ImageId", ""))
    for device, times in Counter(each.get("DeviceName") for each in given).items():
        if times > 1:
            raise api_error("ec2.device_twice", device=device)
    wanted = with_root(image, given)
    require_launch_volumes(call, wanted)
    if found := too_small(image, wanted):
        size, snapshot, minimum = found
        raise api_error("ec2.smaller_than_snapshot", size=size, snapshot=snapshot, minimum=minimum)


def too_small(image: Any | None, mappings: Mappings) -> tuple[int, str, int] | None:
    """GiB of a root volume that cannot hold the image's snapshot, the snapshot, and how large it is.

    None where the volume can, and where no source says how large the snapshot is.
    """
    minimum = image.snapshot_gib if isinstance(image, PublicAmi) else None
    if image is None or minimum is None:
        return None
    roots = [each.get("Ebs", {}) for each in mappings if each.get("DeviceName") == image.root_device_name]
    size = min((each["VolumeSize"] for each in roots if each.get("VolumeSize") is not None), default=minimum)
    return (size, image.block_device_mappings[0]["Ebs"]["SnapshotId"], minimum) if size < minimum else None


def with_root(image: Any | None, given: Mappings) -> list[dict[str, Any]]:
    """The mappings of the request over that of the image; moto takes those of the request alone."""
    names = [each.get("DeviceName") for each in given]
    root = dict(ROOT_OF_MOTO)
    if isinstance(image, PublicAmi):
        reported = image.block_device_mappings[0]["Ebs"]
        root = {name: reported[name] for name in ("VolumeSize", "VolumeType", "DeleteOnTermination")}
    elif not given:
        return []
    roots = (image.root_device_name,) if image is not None else ROOTS
    merged = [
        {**each, "Ebs": {**root, **each["Ebs"]}} if each.get("DeviceName") in roots and "Ebs" in each else dict(each)
        for each in given
    ]
    return merged if set(roots) & set(names) else [{"DeviceName": roots[0], "Ebs": root}, *merged]
