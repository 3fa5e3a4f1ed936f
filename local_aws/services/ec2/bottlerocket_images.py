"""Bottlerocket AMIs of EKS node groups, by Kubernetes version and AMI type, with the parameters of the latest ones."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.knowledge.current import knowledge
from local_aws.services.ec2.published_image import PublishedImage, made_up_image_id
from local_aws.services.seed_data import seed_data

RELEASE_PARAMETER = "image_version"
"""Beside the parameter with the id; EKS tells its value as the release version of a node group."""


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
                parameters={id_parameter: image_id, beside(id_parameter, RELEASE_PARAMETER): seed["release"]},
                data_type="text",
            )


def beside(parameter: str, name: str) -> str:
    """The parameter of this name in the same folder."""
    return f"{parameter.rpartition('/')[0]}/{name}"
