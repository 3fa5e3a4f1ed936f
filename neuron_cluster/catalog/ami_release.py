"""Releases of the EKS optimized Amazon Linux 2023 Neuron AMI: what a pinned AMI release brings."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class AmiRelease(SourcedRow, frozen=True, kw_only=True):
    """One release of all EKS AMIs (``name`` is its date, ``20260714``).

    ``kubernetes_patches`` maps a minor version to the patch that the images of this release run; together they make
    the AMI release version ``1.36.2-20260714``. ``driver`` is the aws-neuronx-dkms of its Neuron images, None where
    no source says it.
    """

    driver: str | None
    kubernetes_patches: FrozenMap[str, str]

    def release_version(self, kubernetes_version: str) -> str | None:
        """``1.36.2-20260714`` for ``1.36``; None when no source says that this release has the minor version."""
        patch = self.kubernetes_patches.get(kubernetes_version)
        return f"{patch}-{self.name}" if patch else None


@functools.cache
def ami_releases() -> FrozenMap[str, AmiRelease]:
    """All known releases by date, the newest first."""
    return read_rows(DATA_DIRECTORY / "ami_releases.yaml", AmiRelease)


def ami_release(release_version: str) -> AmiRelease | None:
    """The release that an AMI release version (``1.36.2-20260714``) or a date belongs to, or None."""
    return ami_releases().get(release_version.rpartition("-")[2])
