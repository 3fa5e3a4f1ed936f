"""Amazon Linux AMIs of EKS node groups, by Kubernetes version and AMI type, with the parameters that recommend them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from local_aws.knowledge.current import kept_by_region, knowledge
from local_aws.knowledge.rows import AmiRelease, AmiType
from local_aws.services.ec2.published_image import PublishedImage, made_up_image_id
from local_aws.services.seed_data import seed_data


def eks_images(region: str) -> Iterator[PublishedImage]:
    """Those of the newest release that the catalog knows, in the Regions whose account of EKS it knows."""
    yield from _images([next(iter(knowledge().ami_releases.values()))], region)


@kept_by_region
def older_eks_images(region: str) -> tuple[PublishedImage, ...]:
    """Those of all earlier releases that the catalog knows; no parameter names them."""
    _, *older = knowledge().ami_releases.values()
    return tuple(replace(image, parameters={}) for image in _images(older, region))


def _images(releases: Iterable[AmiRelease], region: str) -> Iterator[PublishedImage]:
    row = knowledge().regions.get(region)
    if row is None or row.eks_image_registry is None:
        return
    owner = row.eks_image_registry.partition(".")[0]  # AMIs and container images of EKS are one account's
    for release in releases:
        for version in release.kubernetes_patches:
            for name in seed_data("eks_images")["images"]:
                yield _image(knowledge().ami_types[name], release, version, region, owner)


def _image(kind: AmiType, release: AmiRelease, version: str, region: str, owner: str) -> PublishedImage:
    seed = seed_data("eks_images")
    own = seed["images"][kind.name]
    id_parameter = kind.ssm_parameter(version)
    recommended = id_parameter.rpartition("/")[0]
    is_newest = release.name == next(iter(knowledge().ami_releases))
    reported = {
        "image_id": made_up_image_id(id_parameter if is_newest else f"{id_parameter}/{release.name}", region),
        "image_name": own["name"].format(version=version, build=release.name),
        "release_version": str(release.release_version(version)),
    }
    whole = json.dumps({"schema_version": seed["schema_version"], **reported})
    return PublishedImage(
        image_id=reported["image_id"],
        name=reported["image_name"],
        description=seed["description"].format(patch=release.kubernetes_patches[version]),
        owner=owner,
        architecture=own["architecture"],
        root_device_name=kind.root_device_name,
        root_volume_gib=kind.root_volume_minimum_gib,
        snapshot_gib=kind.root_volume_minimum_gib,
        parameters={recommended: whole, **{f"{recommended}/{name}": value for name, value in reported.items()}},
        data_type="text",
    )
