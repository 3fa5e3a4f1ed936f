"""All images that AWS publishes in a Region, as far as this toolkit knows them and moto does not."""

from __future__ import annotations

from local_aws.knowledge.current import kept_by_region
from neuron_cluster.local_aws.operations.bottlerocket_images import bottlerocket_images
from neuron_cluster.local_aws.operations.dlami_images import dlami_images
from neuron_cluster.local_aws.operations.eks_images import eks_images
from neuron_cluster.local_aws.operations.published_image import PublishedImage


@kept_by_region
def public_images(region: str) -> tuple[PublishedImage, ...]:
    """Neuron Deep Learning AMIs and the AMIs of EKS node groups."""
    return (*dlami_images(region), *eks_images(region), *bottlerocket_images(region))
