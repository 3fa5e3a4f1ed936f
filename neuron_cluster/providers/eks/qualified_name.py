"""Kubernetes' qualified names: the syntax of label and taint keys, ``prefix/name`` or ``name``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.rules.own_domain import OWN_DOMAIN

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


def syntax_problem(key: str, catalog: Catalog) -> str | None:
    """Why Kubernetes or EKS rejects the key, as text that follows it; None if neither does."""
    prefix, slash, name = key.rpartition("/")
    if slash and (problem := catalog.limits["kubernetes_label_prefix"].problem_with(prefix)):
        return f"has a prefix that {problem}"
    if problem := catalog.limits["kubernetes_label_name"].problem_with(name):
        return problem
    # EKS includes the prefix in the length, so that a prefix that is valid for Kubernetes can be too long.
    problem = catalog.limits["eks_label_key"].problem_with(key)
    return f"{problem}, including the prefix" if problem else None


def reserved_domain(key: str, catalog: Catalog) -> str | None:
    """The domain of Kubernetes, EKS or this toolkit that the key's prefix belongs to, or None."""
    prefix = key.rpartition("/")[0]
    domains = (*(row.name for row in catalog.reserved_label_domains), OWN_DOMAIN)
    return next((domain for domain in domains if prefix == domain or prefix.endswith(f".{domain}")), None)
