"""Kubernetes versions that leave standard support, or have left it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import DatedRule, Problem

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.kubernetes_version import KubernetesVersion
    from neuron_cluster.config.environment import EnvironmentConfig


class VersionNearEndOfSupport(DatedRule):
    """The Kubernetes version has standard support for a while yet.

    Asked for the day of `--as-of`, which is today if none is given; synthesis knows no day, so that the same file
    always gives the same templates. Only a warning: extended support is a service that you may want.

    Without it: AWS answers nothing. It bills extended support on top of the price of the cluster, hour by hour, and
    upgrades the control plane by itself when that ends too.
    """

    id = "W2011"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog, as_of: date) -> Iterator[Problem]:
        row = catalog.kubernetes_version(config.eks.version) if config.eks is not None else None
        if row is None or row.kubectl_layer is None or _lasts(row, catalog, as_of):  # else rules E2001, E2002
            return
        yield Problem(("eks", "version"), f"version is {row.name}, {_end(row, as_of)}", _way_on(row, catalog, as_of))


def _lasts(row: KubernetesVersion, catalog: Catalog, as_of: date) -> bool:
    """Whether the version has standard support for longer than the limit asks for."""
    return (row.standard_support_ends - as_of).days > (catalog.limit("eks_standard_support_left").minimum or 0)


def _end(row: KubernetesVersion, as_of: date) -> str:
    """What has ended, or ends next, to be read after the version."""
    if row.extended_support_ends <= as_of:
        return f"whose extended support ended on {row.extended_support_ends}: EKS upgrades such clusters by itself"
    if row.standard_support_ends <= as_of:
        return f"whose standard support ended on {row.standard_support_ends}; extended support is billed on top"
    days = (row.standard_support_ends - as_of).days
    left = f"{days} days after {as_of}" if days > 1 else f"the day after {as_of}"
    then = "from then on extended support is billed on top"
    return f"whose standard support ends on {row.standard_support_ends}, {left}; {then}"


def _way_on(row: KubernetesVersion, catalog: Catalog, as_of: date) -> str:
    """The nearest newer version that lasts."""
    newer = catalog.kubernetes_versions[catalog.kubernetes_versions.index(row) + 1 :]
    lasting = next((each for each in newer if each.kubectl_layer is not None and _lasts(each, catalog, as_of)), None)
    if lasting is None:
        return "no version that this catalog knows lasts longer: look for a newer release of this toolkit"
    return f"go up one minor at a time, to {lasting.name} (standard support until {lasting.standard_support_ends})"
