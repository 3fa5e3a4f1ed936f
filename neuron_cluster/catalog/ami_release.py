"""Releases of the EKS optimized Amazon Linux 2023 Neuron AMI: the software of a pinned AMI release."""

from __future__ import annotations

from datetime import timedelta

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table

BEFORE_EKS = timedelta(days=60)
"""AMIs of a Kubernetes version may be published this long before EKS offers the version; no source has one so early."""


class AmiRelease(SourcedRow, frozen=True, kw_only=True):
    """One release of all EKS AMIs (``name`` is its date, ``20260714``).

    ``kubernetes_patches`` maps a minor version to the patch that the images of this release run; together they make
    the AMI release version ``1.36.2-20260714``. ``driver`` is the aws-neuronx-dkms of its Neuron images, None where
    no source states it.
    """

    driver: str | None
    kubernetes_patches: FrozenMap[str, str]
    fast_image_pull_fault: str | None = None
    """Why nodes of this release do not work with the feature gate FastImagePull; None where no source has a fault."""

    def release_version(self, kubernetes_version: str) -> str | None:
        """``1.36.2-20260714`` for ``1.36``; None when no source states that this release has the minor version."""
        patch = self.kubernetes_patches.get(kubernetes_version)
        return f"{patch}-{self.name}" if patch else None


class AmiReleaseTable(Table[AmiRelease]):
    def get(self, name: str) -> AmiRelease | None:
        """The release that an AMI release version (``1.36.2-20260714``) or a date belongs to, or None."""
        return super().get(name.rpartition("-")[2])
