"""DescribeAddonVersions against the rows of managed add-ons."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from catalog_refresh.answer import Answer, Change
from neuron_cluster.aws.eks import default_addon_version
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.managed_addon import ManagedAddon


def refresh_addons(target: Target, catalog: Catalog, rows: Mapping[str, ManagedAddon], data: Path) -> Answer:
    """The version of each add-on that EKS installs by default, by Kubernetes version."""
    answer = Answer()
    for name, row in rows.items():
        asked = {each.name: default_addon_version(target, name, each.name) for each in catalog.kubernetes_versions}
        versions = {kubernetes: version for kubernetes, version in asked.items() if version is not None}
        if not versions:
            answer.notes.append(f"{name}: EKS names no default version for any Kubernetes version; the row stays")
        elif versions != row.default_versions:
            answer.changes.append(Change(data / "addons.yaml", name, "default_versions", versions))
    return answer
