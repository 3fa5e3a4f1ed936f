"""Kubernetes' qualified names in groups of nodes: the syntax of label and taint keys, ``prefix/name`` or ``name``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from neuron_cluster.rules.own_domain import OWN_DOMAIN

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup


def syntax_problem(key: str, group: KubernetesNodeGroup, catalog: Catalog) -> str | None:
    """Why Kubernetes or the service of the group rejects the key, as text that follows it; None if neither does."""
    prefix, slash, name = key.rpartition("/")
    if slash and (problem := catalog.limits["kubernetes_label_prefix"].problem_with(prefix)):
        return f"has a prefix that {problem}"
    if problem := catalog.limits["kubernetes_label_name"].problem_with(name):
        return problem
    if group.label_key_limit is None:
        return None
    # The length includes the prefix, so that a prefix that is valid for Kubernetes can be too long.
    problem = catalog.limits[group.label_key_limit].problem_with(key)
    return f"{problem}, including the prefix" if problem else None


def reserved_domain(key: str, domains: Iterable[str]) -> str | None:
    """The domain of these, or of this toolkit, that the key's prefix belongs to, or None."""
    prefix = key.rpartition("/")[0]
    domains = (*domains, OWN_DOMAIN)
    return next((domain for domain in domains if prefix == domain or prefix.endswith(f".{domain}")), None)
