"""One image that AWS publishes in a Region."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from msgspec import Struct


class PublishedImage(Struct, frozen=True, kw_only=True):
    """What EC2 describes of it, and the public parameters of SSM that speak of it."""

    image_id: str
    name: str
    description: str
    owner: str
    """Account; its alias is ``amazon``."""
    architecture: str
    root_device_name: str
    root_volume_gib: int
    """What a launch gives the root volume that does not say."""
    snapshot_gib: int | None = None
    """What a root volume must hold; None where no source says it: a launch then takes any size."""
    parameters: Mapping[str, str]
    """Values by name."""
    data_type: str
    """SSM's type of the values: ``text``, or ``aws:ec2:image`` for ids that SSM has checked."""


def made_up_image_id(parameter: str, region: str) -> str:
    """The same in every run, another one for each parameter and in each Region."""
    return f"ami-{hashlib.sha256(f'{region}{parameter}'.encode()).hexdigest()[:17]}"
