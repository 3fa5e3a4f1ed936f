"""AMI types of EKS managed node groups: their SSM parameters and the software of their images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeVar

from neuron_cluster.catalog.sourced_row import SourcedRow

Fact = TypeVar("Fact")


class AmiType(SourcedRow, frozen=True, kw_only=True):
    """One AMI type by the name that the EKS API uses. ``chips`` is empty for an image without a Neuron driver.

    None: not published, or no source states it; the queries below then raise LookupError. A ``retired`` type is still a
    valid value of the API, but gets no new images; ``successor`` is the type to move to.
    """

    state: Literal["supported", "retired"]
    successor: str | None
    ssm_parameter_pattern: str | None
    release_version_parameter_pattern: str | None
    root_device: str | None
    root_volume_gib: int | None
    chips: tuple[str, ...]
    operating_system: str | None = None
    """None for the type of custom images."""
    root_volume_default_gib: int | None = None
    """The size where neither the file nor the instance type sets one; None: the size of the image."""
    has_nodeadm: bool = False
    """Whether nodeadm configures the node, from a NodeConfig in its user data."""

    @property
    def is_published(self) -> bool:
        """Whether EKS publishes images of this type; False for the type of custom images."""
        return self.ssm_parameter_pattern is not None

    @property
    def root_device_name(self) -> str:
        """Device name of the root volume."""
        return self._known(self.root_device)

    @property
    def root_volume_minimum_gib(self) -> int:
        """Size of the image itself; a smaller root volume does not start."""
        return self._known(self.root_volume_gib)

    @property
    def default_root_volume_gib(self) -> int | None:
        """Size of a root volume that the file does not set."""
        return self.root_volume_default_gib or self.root_volume_gib

    def ssm_parameter(self, kubernetes_version: str) -> str:
        """The SSM parameter with the recommended AMI id for this Kubernetes version."""
        return self._known(self.ssm_parameter_pattern).format(kubernetes_version=kubernetes_version)

    def release_version_parameter(self, kubernetes_version: str) -> str:
        """The SSM parameter with the newest AMI release version, such as ``1.35.6-20260714``."""
        return self._known(self.release_version_parameter_pattern).format(kubernetes_version=kubernetes_version)

    def image_name_parameter(self, kubernetes_version: str) -> str | None:
        """The SSM parameter with the newest AMI's name, which ends in ``-v<date>``; None for types named otherwise."""
        if self.release_version_parameter_pattern is None:
            return None
        return f"{self.ssm_parameter(kubernetes_version).rpartition('/')[0]}/image_name"

    def _known(self, fact: Fact | None) -> Fact:
        if fact is None:
            raise LookupError(f"the catalog does not know this of AMI type {self.name}")
        return fact

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.state == "retired" and self.successor is None:
            yield "successor", "a retired type needs the one to move to"
        if self.root_volume_default_gib and self.root_volume_default_gib < self.root_volume_minimum_gib:
            yield "root_volume_default_gib", "is smaller than the image itself"
