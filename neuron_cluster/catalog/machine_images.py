"""Facts about AMIs, containers, and the registries that images come from."""

from __future__ import annotations

from neuron_cluster.catalog import ami_release, ami_type, container, dlami, ecs_ami, helper_image, pull_through_upstream
from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.ecs_ami import EcsAmi
from neuron_cluster.catalog.helper_image import HelperImage
from neuron_cluster.catalog.pull_through_upstream import PullThroughUpstream


class ImageFacts:
    """Queries of these rows; ``Catalog`` has them all."""

    def ami_type(self, name: str) -> AmiType | None:
        return ami_type.ami_type(name)

    @property
    def ami_types(self) -> tuple[AmiType, ...]:
        return tuple(ami_type.ami_types().values())

    def helper_image(self, name: str) -> HelperImage | None:
        """A small image that the toolkit's own objects run."""
        return helper_image.helper_image(name)

    @property
    def helper_images(self) -> tuple[HelperImage, ...]:
        return tuple(helper_image.helper_images().values())

    def dlami(self, name: str) -> Dlami | None:
        return dlami.dlami(name)

    @property
    def dlamis(self) -> tuple[Dlami, ...]:
        return tuple(dlami.dlamis().values())

    def similar_dlamis(self, name: str) -> list[str]:
        return dlami.similar_dlamis(name)

    def ecs_ami(self, name: str) -> EcsAmi | None:
        return ecs_ami.ecs_ami(name)

    @property
    def ecs_amis(self) -> tuple[EcsAmi, ...]:
        return tuple(ecs_ami.ecs_amis().values())

    def container(self, name: str) -> Container | None:
        """Returns the container with this name, or with this full reference (repository and tag)."""
        return container.container(name)

    @property
    def containers(self) -> tuple[Container, ...]:
        return tuple(container.containers().values())

    def is_of_gallery(self, name: str) -> bool:
        """Whether an image name is of the public Neuron gallery: with its repository path, or with none."""
        return container.is_of_gallery(name)

    def similar_containers(self, name: str) -> list[str]:
        return container.similar_containers(name)

    def ami_release(self, release_version: str) -> AmiRelease | None:
        """Returns the release with this AMI release version (``1.36.2-20260714``) or date."""
        return ami_release.ami_release(release_version)

    def why_impossible_release(self, release_version: str) -> str | None:
        """Why no EKS AMI can have this release version; None where one may have it."""
        return ami_release.why_impossible(release_version)

    @property
    def ami_releases(self) -> tuple[AmiRelease, ...]:
        """The newest first."""
        return tuple(ami_release.ami_releases().values())

    @property
    def pull_through_upstreams(self) -> tuple[PullThroughUpstream, ...]:
        """Upstream registries that ECR's pull-through cache supports."""
        return tuple(pull_through_upstream.pull_through_upstreams().values())

    def pull_through_upstream_of(self, host: str) -> PullThroughUpstream | None:
        """Returns the upstream with this host in image references."""
        return pull_through_upstream.pull_through_upstream_of(host)
