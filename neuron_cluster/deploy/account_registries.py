"""Registries as the account may read them."""

from __future__ import annotations

import functools

from neuron_cluster.aws.ecr import registry_authorization
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.needed_software import trusted_registries
from neuron_cluster.registry.registries import Registries


def registries_for(account: str, target: Target) -> Registries:
    """Sends the ECR token of the caller to registries of this account and those that the catalog trusts alone."""
    catalog = load_catalog()
    authorization = functools.partial(registry_authorization, target)
    regions = frozenset(region.name for region in catalog.regions)
    return Registries(authorization, trusted_registries(account, catalog), regions)
