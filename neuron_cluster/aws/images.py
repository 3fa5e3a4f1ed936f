"""Machine images as EC2 describes them."""

from __future__ import annotations

from neuron_cluster.aws.refusals import translated
from neuron_cluster.aws.session import Target, client


def image_description(target: Target, image_id: str) -> str:
    """The description that the owner gave the image; empty without one, or when there is no such image."""
    with translated():
        named = [{"Name": "image-id", "Values": [image_id]}]  # as an id, one that is gone would be an error
        rows = client(target, "ec2").describe_images(Filters=named)["Images"]
    return str(rows[0].get("Description", "")) if rows else ""
