"""Releases of the EKS optimized Amazon Linux 2023 Neuron AMI: the software of a pinned AMI release."""

from __future__ import annotations

import functools
from datetime import date, timedelta

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.kubernetes_version import kubernetes_version
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow

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


@functools.cache
def ami_releases() -> FrozenMap[str, AmiRelease]:
    """All known releases by date, the newest first."""
    return read_rows(DATA_DIRECTORY / "ami_releases.yaml", AmiRelease)


def ami_release(release_version: str) -> AmiRelease | None:
    """The release that an AMI release version (``1.36.2-20260714``) or a date belongs to, or None."""
    return ami_releases().get(release_version.rpartition("-")[2])


def why_impossible(release_version: str) -> str | None:
    """Why no AMI of Amazon Linux can have this release version (``1.35.0-20200101``); None where one may have it."""
    patch, _, build = release_version.rpartition("-")
    try:
        day = date.fromisoformat(build)
    except ValueError:
        return f"{build} is not a day"
    minor = patch.rpartition(".")[0]
    version, release = kubernetes_version(minor), ami_release(release_version)
    if version is not None and day < version.released - BEFORE_EKS:
        return f"EKS offers Kubernetes {minor} since {version.released}"
    known = release.release_version(minor) if release is not None else None
    return f"the AMI of that day is {known}" if known is not None and known != release_version else None
