"""Images that AWS publishes in a Region and moto does not have: of EKS node groups, and Neuron Deep Learning AMIs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from local_aws.knowledge.current import kept_by_region, knowledge
from local_aws.knowledge.rows import AmiRelease, AmiType
from local_aws.services.seed_data import seed_data


class PublishedImage(Struct, frozen=True, kw_only=True):
    """A published image: its description in EC2, and the public parameters of SSM with it."""

    image_id: str
    name: str
    description: str
    owner: str
    """Account; its alias is ``amazon``."""
    architecture: str
    root_device_name: str
    root_volume_gib: int
    """The size of the root volume of a launch that sets none."""
    snapshot_gib: int | None = None
    """The least size of a root volume; None where no source has it: a launch then accepts any size."""
    parameters: Mapping[str, str]
    """Values by name."""
    data_type: str
    """SSM's type of the values: ``text``, or ``aws:ec2:image`` for ids that SSM has checked."""


def made_up_image_id(parameter: str, region: str) -> str:
    """The same in every run, another one for each parameter and in each Region."""
    return f"ami-{hashlib.sha256(f'{region}{parameter}'.encode()).hexdigest()[:17]}"


def dlami_images(region: str) -> Iterator[PublishedImage]:
    """The kinds of the catalog that have a parameter in the Region."""
    seed = seed_data("neuron")
    for row in knowledge().machine_images.values():
        if region in row.regions_without_parameter:
            continue
        image_id = made_up_image_id(row.ssm_parameter, region)
        yield PublishedImage(
            image_id=image_id,
            name=f"{row.title} {seed['dlami_build']}",
            description=f"{row.title}. Neuron SDK {row.neuron_sdk}",
            owner=seed["owner"],
            architecture=seed["architecture"],
            root_device_name=row.root_device_name,
            root_volume_gib=seed["root_volume_gib"],
            parameters={row.ssm_parameter: image_id},
            data_type="aws:ec2:image",
        )


RELEASE_PARAMETER = "image_version"
"""A parameter next to the one with the id; EKS returns its value as the release version of a node group."""


def bottlerocket_images(region: str) -> Iterator[PublishedImage]:
    """One for each Kubernetes version and type, in the Regions whose account is known."""
    seed = seed_data("bottlerocket_images")
    if region not in seed["owners"]:
        return
    for version in knowledge().kubernetes_versions:
        for type_name, own in seed["images"].items():
            id_parameter = knowledge().ami_types[type_name].ssm_parameter(version)
            image_id = made_up_image_id(id_parameter, region)
            name = own["name"].format(version=version, release=seed["release"])
            yield PublishedImage(
                image_id=image_id,
                name=name,
                description=name,
                owner=seed["owners"][region],
                architecture=own["architecture"],
                root_device_name=seed["root_device_name"],
                root_volume_gib=seed["root_volume_gib"],
                parameters={
                    id_parameter: image_id,
                    sibling_parameter(id_parameter, RELEASE_PARAMETER): seed["release"],
                },
                data_type="text",
            )


def sibling_parameter(parameter: str, name: str) -> str:
    """The parameter of this name in the same folder."""
    return f"{parameter.rpartition('/')[0]}/{name}"


def eks_images(region: str) -> Iterator[PublishedImage]:
    """Yields the images of the newest release of the catalog, in the Regions whose account of EKS it has."""
    yield from _images([next(iter(knowledge().ami_releases.values()))], region)


@kept_by_region
def older_eks_images(region: str) -> tuple[PublishedImage, ...]:
    """Returns the images of all earlier releases of the catalog; no parameter names them."""
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


@kept_by_region
def public_images(region: str) -> tuple[PublishedImage, ...]:
    """Neuron Deep Learning AMIs and the AMIs of EKS node groups."""
    return (*dlami_images(region), *eks_images(region), *bottlerocket_images(region))
