"""Regions without PCS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

PCS_TYPE = "AWS::PCS::Cluster"


class RegionWithoutPcs(ConfigRule):
    """CloudFormation has the resource types of PCS in the Region (`region`).

    Without this check the deploy of the stack fails: "Template format error: Unrecognized resource types".
    """

    id = "E2103"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/service-endpoints-quotas.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        if config.section(Slurm) is None or catalog.region(config.region) is None:  # rule E6001
            return
        regions = catalog.regions_with(PCS_TYPE).regions
        if config.region not in regions:
            yield Violation(
                ("region",),
                f"{config.region} has no PCS, which slurm needs; Regions with it are {listed(regions)}",
                "deploy to one of these Regions, or remove slurm",
            )
