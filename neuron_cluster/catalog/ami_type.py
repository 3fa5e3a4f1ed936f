"""AMI types of EKS managed node groups: where their ids are published and what their images bring."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.near_names import near_names
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


@dataclass(frozen=True, slots=True, kw_only=True)
class AmiType(SourcedRow):
    """One AMI type by the name that the EKS API uses. ``chips`` is empty for an image without a Neuron driver."""

    ssm_parameter_pattern: str
    release_version_parameter_pattern: str
    root_device_name: str
    root_volume_minimum_gib: int
    chips: tuple[str, ...]

    def ssm_parameter(self, kubernetes_version: str) -> str:
        """The SSM parameter that holds the newest recommended AMI id for this Kubernetes version."""
        return self.ssm_parameter_pattern.format(kubernetes_version=kubernetes_version)

    def release_version_parameter(self, kubernetes_version: str) -> str:
        """The SSM parameter that holds the newest AMI release version, such as ``1.35.2-20260714``."""
        return self.release_version_parameter_pattern.format(kubernetes_version=kubernetes_version)


@functools.cache
def ami_types() -> FrozenMap[str, AmiType]:
    """All AMI types by name."""
    return read_rows(DATA_DIRECTORY / "ami_types.yaml", AmiType)


def ami_type(name: str) -> AmiType | None:
    """The AMI type of this name, or None."""
    return ami_types().get(name)


def near_ami_types(name: str) -> list[str]:
    """Known AMI types whose names look like ``name``."""
    return near_names(name, ami_types())
