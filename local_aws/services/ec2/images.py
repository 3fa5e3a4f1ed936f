"""Images in EC2 that AWS owns, launches that name the parameter of one, and those whose image does not fit."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from moto.ec2.models import ec2_backends
from moto.ec2.models.amis import Ami, AmiBackend
from moto.ssm.models import ssm_backends
from moto.utilities.utils import load_resource

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.launch import launch_data, platform_of
from local_aws.registry import guard
from local_aws.services.ec2.instance_types import architectures
from local_aws.services.ec2.public_images import PublishedImage, older_eks_images, public_images
from local_aws.services.overrides import override

BY_PARAMETER = "resolve:ssm:"
RECORDED = ("latest_amis", "ecs/optimized_amis")
"""moto's records of images, by Region: of Amazon Linux and of ECS. Both are named by public parameters."""
PATTERN = frozenset("*?")
"""In the value of a filter they stand for other characters."""


class PublicAmi(Ami):
    """An image whose root volume has the size and type that AWS gives it."""

    def __init__(self, backend: Any, image: PublishedImage) -> None:
        self.root_volume_gib = image.root_volume_gib
        self.snapshot_gib = image.snapshot_gib
        super().__init__(
            backend,
            image.image_id,
            name=image.name,
            description=image.description,
            owner_id=image.owner,
            owner_alias="amazon",
            public=True,
            virtualization_type="hvm",
            architecture=image.architecture,
            root_device_type="ebs",
            root_device_name=image.root_device_name,
            image_location=f"amazon/{image.name}",
        )

    @property
    def block_device_mappings(self) -> list[dict[str, Any]]:
        (root,) = super().block_device_mappings
        size = {"VolumeSize": self.root_volume_gib, "VolumeType": "gp3", "DeleteOnTermination": True}
        return [{**root, "Ebs": {**root["Ebs"], **size}}]


@override(AmiBackend, "_load_amis")
def load_images(original: Any, backend: Any) -> None:
    original()
    for image in public_images(backend.region_name):
        backend.amis[image.image_id] = PublicAmi(backend, image)


@override(AmiBackend, "describe_images")
def describe_images(
    original: Any,
    backend: Any,
    ami_ids: list[str] | None = None,
    filters: dict[str, Any] | None = None,
    *arguments: Any,
    **options: Any,
) -> list[Any]:
    """Reads recorded images of the Region when they may be meant; there are 1,200, of which most calls need none.

    Images of other accounts are among them that are public or shared with this one, as on AWS.
    """
    asked = set(ami_ids or (filters or {}).get("image-id", ()))
    if not asked or not asked <= set(backend.amis):
        _load_recorded(backend, set() if any(PATTERN & set(each) for each in asked) else asked)
    if "name" in (filters or {}):
        _load_older_releases(backend)
    _load_shared(backend)
    found: list[Any] = original(ami_ids, filters, *arguments, **options)
    for image in found:
        image.platform_details = platform_of(image)
    return [image for image in found if image.ec2_backend is backend or _is_shared_with(backend, image)]


def _load_older_releases(backend: Any) -> None:
    """AMIs of EKS that no parameter recommends any more: some hundred, which are looked for by name."""
    for image in older_eks_images(backend.region_name):
        if image.image_id not in backend.amis:
            backend.amis[image.image_id] = PublicAmi(backend, image)


def _load_shared(backend: Any) -> None:
    for account, regions in list(ec2_backends.items()):
        if account == backend.account_id or backend.region_name not in regions:
            continue
        for image in list(regions[backend.region_name].amis.values()):
            if image.owner_id == account and _is_shared_with(backend, image):
                backend.amis[image.id] = image


def _is_shared_with(backend: Any, image: Any) -> bool:
    return image.is_public or {"UserId": backend.account_id} in image.launch_permissions


@functools.cache
def _recorded(folder: str, region: str) -> Sequence[Mapping[str, Any]]:
    """Read once: a launch with an image of one's own looks for it here each time."""
    try:
        return tuple(load_resource(f"ec2/resources/{folder}/{region}.json"))
    except FileNotFoundError:  # a Region that moto has no record of
        return ()


def _load_recorded(backend: Any, asked: set[str]) -> None:
    """Loads the images that are requested; all when none is named."""
    for folder in RECORDED:
        for row in _recorded(folder, backend.region_name):
            if asked and row["ami_id"] not in asked:
                continue
            if row["ami_id"] not in backend.amis and row["ami_id"] not in backend.deleted_amis:
                known = {name: value for name, value in row.items() if name != "creation_date"}
                backend.amis[row["ami_id"]] = Ami(backend, **known, owner_alias="amazon")


def resolved_id(backend: Any, image_id: str) -> str:
    """The image that a launch asks for by its id, or by the name of a parameter."""
    if not image_id.startswith(BY_PARAMETER):
        return image_id
    name = image_id.removeprefix(BY_PARAMETER)
    parameter = ssm_backends[backend.account_id][backend.region_name].get_parameter(name)
    if parameter is None:
        raise api_error("ec2.image_parameter", name=name)
    return str(parameter.value)


def known_image(backend: Any, image_id: str) -> Any | None:
    """moto's image for an id or the name of a parameter; None for one that nobody here knows."""
    found = backend.describe_images(filters={"image-id": [resolved_id(backend, image_id)]})
    return found[0] if found else None


ID_PREFIX = "ami-"


@guard("ec2", "RunInstances")
def require_image(call: Call) -> None:
    """An image that nobody here knows is taken to fit."""
    data, backend = launch_data(call), call.moto_backend("ec2")
    if not data.get("ImageId"):
        return
    image_id = resolved_id(backend, data["ImageId"])
    if not image_id.startswith(ID_PREFIX):
        raise api_error("ec2.image_id", image_id=image_id)
    image, fitting = known_image(backend, image_id), architectures(data.get("InstanceType", ""))
    if image is not None and fitting and image.architecture not in fitting:
        raise api_error("ec2.architecture", names=",".join(fitting), architecture=image.architecture)
