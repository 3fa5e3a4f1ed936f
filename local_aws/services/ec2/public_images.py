"""All images that AWS publishes in a Region, as far as this toolkit knows them and moto does not."""

from __future__ import annotations

from local_aws.knowledge.current import kept_by_region
from local_aws.services.ec2.bottlerocket_images import bottlerocket_images
from local_aws.services.ec2.dlami_images import dlami_images
from local_aws.services.ec2.published_image import PublishedImage
from local_aws.services.eks.images import eks_images


@kept_by_region
def public_images(region: str) -> tuple[PublishedImage, ...]:
    """Neuron Deep Learning AMIs and the AMIs of EKS node groups."""
    return (*dlami_images(region), *eks_images(region), *bottlerocket_images(region))
