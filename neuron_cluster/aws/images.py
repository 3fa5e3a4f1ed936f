"""Machine images as EC2 describes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class Image(Struct, frozen=True):
    """``owner_alias`` is ``amazon`` for images in EC2's own list of accounts of Amazon, empty for most accounts."""

    id: str
    name: str
    owner: str
    owner_alias: str


def image_description(target: Target, image_id: str) -> str:
    """The description that the owner gave the image; empty without one, or when there is no such image."""
    rows = _described(target, "image-id", [image_id])
    return str(rows[0].get("Description", "")) if rows else ""


def images_by_id(target: Target, ids: Sequence[str]) -> dict[str, Image]:
    """Those of these images that the account may launch, deprecated ones too, by id."""
    return {image.id: image for image in map(_image, _described(target, "image-id", ids))} if ids else {}


def images_by_name(target: Target, names: Sequence[str]) -> list[Image]:
    """All images of these names that the account may launch: whoever owns one gives it any name."""
    return [_image(row) for row in _described(target, "name", names)] if names else []


def _described(target: Target, by: str, values: Sequence[str]) -> list[dict[str, Any]]:
    with translated():
        named = [{"Name": by, "Values": list(values)}]  # as ids, one that is gone would be an error
        rows: list[dict[str, Any]] = client(target, "ec2").describe_images(Filters=named, IncludeDeprecated=True)[
            "Images"
        ]
    return rows


def _image(row: dict[str, Any]) -> Image:
    return Image(row["ImageId"], row.get("Name", ""), row.get("OwnerId", ""), row.get("ImageOwnerAlias", ""))
