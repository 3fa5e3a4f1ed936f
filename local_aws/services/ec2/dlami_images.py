"""Neuron Deep Learning AMIs, each with the parameter that holds the id of the newest one."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.knowledge.current import knowledge
from local_aws.services.ec2.published_image import PublishedImage, made_up_image_id
from local_aws.services.seed_data import seed_data


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
            root_volume_gib=row.root_volume_gib,
            parameters={row.ssm_parameter: image_id},
            data_type="aws:ec2:image",
        )
