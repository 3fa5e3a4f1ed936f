"""AMIs of EC2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class Image(Struct, frozen=True):
    """``owner_alias`` is ``amazon`` for AMIs of Amazon's accounts, empty for most others."""

    id: str
    name: str
    owner: str
    owner_alias: str
    root_volume_gib: int | None = None
    """Size of its root snapshot; None where EC2 does not return one."""
    platform: str = ""
    """Platform details, by which EC2 bills its instances: ``Linux/UNIX``, ``Red Hat Enterprise Linux``, …"""


def image_description(target: Target, image_id: str) -> str:
    """The owner's description of the AMI; empty without one, or when there is no such AMI."""
    rows = _described(target, "image-id", [image_id])
    return str(rows[0].get("Description", "")) if rows else ""


def images_by_id(target: Target, ids: Sequence[str]) -> dict[str, Image]:
    """The AMIs with these ids that the account may launch, including deprecated ones, by id."""
    return {image.id: image for image in map(_image, _described(target, "image-id", ids))} if ids else {}


def images_by_name(target: Target, names: Sequence[str]) -> list[Image]:
    """All AMIs with these names that the account may launch, of any owner: names are not unique."""
    return [_image(row) for row in _described(target, "name", names)] if names else []


def own_images(target: Target, tag: str, value: str) -> list[Image]:
    """All AMIs of the account with this tag, the newest last."""
    with translated():
        rows = client(target, "ec2").describe_images(
            Owners=["self"], Filters=[{"Name": f"tag:{tag}", "Values": [value]}], IncludeDeprecated=True
        )["Images"]
    return [_image(row) for row in sorted(rows, key=lambda row: str(row.get("CreationDate", "")))]


def _described(target: Target, by: str, values: Sequence[str]) -> list[dict[str, Any]]:
    with translated():
        named = [{"Name": by, "Values": list(values)}]  # as ids, one that is gone would be an error
        rows: list[dict[str, Any]] = client(target, "ec2").describe_images(Filters=named, IncludeDeprecated=True)[
            "Images"
        ]
    return rows


def _image(row: dict[str, Any]) -> Image:
    root, mappings = row.get("RootDeviceName"), row.get("BlockDeviceMappings", [])
    size = next(
        (each["Ebs"].get("VolumeSize") for each in mappings if each.get("DeviceName") == root and "Ebs" in each), None
    )
    return Image(
        id=row["ImageId"],
        name=row.get("Name", ""),
        owner=row.get("OwnerId", ""),
        owner_alias=row.get("ImageOwnerAlias", ""),
        root_volume_gib=size,
        platform=row.get("PlatformDetails", ""),
    )
