"""Decides which registries the environment's pull-through cache replaces, what is copied, and their names."""

from __future__ import annotations

import hashlib

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.ecr_host import private_registry
from neuron_cluster.plan.image_cache_plan import CacheRulePlan, CopiesPlan, ImageCachePlan, copies_prefix

HASH_LENGTH = 8


def build_image_cache(name: str, account: str, region: str, catalog: Catalog, *, has_internet: bool) -> ImageCachePlan:
    """Every registry that ECR caches without credentials, so that the next chart changes no rule.

    Without internet, the other registries and the chart repositories are not reachable: copies replace them.
    """
    upstreams = [row for row in catalog.pull_through_upstreams if not row.needs_secret]
    length = catalog.limits["ecr_cache_prefix"].require_maximum() - max(len(row.name) for row in upstreams) - len("/")
    rules = tuple(
        CacheRulePlan(row.name, row.host, row.registry_url, f"{_short(name, length)}/{row.name}") for row in upstreams
    )
    hosts = tuple(row.host for row in catalog.pull_through_upstreams if row.needs_secret)
    copies = None if has_internet else CopiesPlan(copies_prefix(name), hosts)
    return ImageCachePlan(("eks", "image_cache"), private_registry(account, region), rules, copies)


def _short(name: str, length: int) -> str:
    """The environment's name where it fits in the prefix, else its beginning and a hash of the whole."""
    if len(name) <= length:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:HASH_LENGTH]
    return f"{name[: length - HASH_LENGTH - 1].rstrip('-')}-{digest}"
