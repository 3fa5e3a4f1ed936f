"""Values of an EKS cluster that only an account has: releases of its AMIs, versions of its add-ons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.lock.inputs import AmiParameters, ProviderLockInputs

if TYPE_CHECKING:
    from neuron_cluster.providers.eks.plan.eks_plan import EksPlan


def eks_lock_inputs(cluster: EksPlan, catalog: Catalog) -> ProviderLockInputs:
    return ProviderLockInputs(
        kubernetes_version=cluster.version,
        ami_releases=dict(_ami_releases(cluster, catalog)),
        addons=tuple(sorted(addon.name for addon in cluster.addons)),
    )


def _ami_releases(cluster: EksPlan, catalog: Catalog) -> Iterator[tuple[str, AmiParameters]]:
    for name in sorted({group.image.family for group in cluster.managed_groups}):
        row = catalog.ami_types.get(name)
        if row is not None and row.is_published:
            release, image = row.release_version_parameter(cluster.version), row.ssm_parameter(cluster.version)
            yield name, AmiParameters(release, image)
