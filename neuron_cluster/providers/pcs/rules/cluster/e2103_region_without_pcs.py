from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

PCS_TYPE = "AWS::PCS::Cluster"


class RegionWithoutPcs(Rule):
    """CloudFormation has the resource types of PCS in the Region (`region`).

    Without this check the deploy of the stack fails: "Template format error: Unrecognized resource types".
    """

    id = "E2103"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/service-endpoints-quotas.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if config.section(Slurm) is None or context.catalog.regions.get(config.region) is None:  # rule E6001
            return
        regions = context.catalog.resource_type_regions[PCS_TYPE].regions
        if config.region not in regions:
            yield Violation(
                ("region",),
                f"{config.region} has no PCS, which slurm needs; Regions with it are {listed(regions)}",
                "deploy to one of these Regions, or remove slurm",
            )
