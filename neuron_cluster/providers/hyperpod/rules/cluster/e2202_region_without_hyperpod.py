from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

CLUSTER_TYPE = "AWS::SageMaker::Cluster"


class RegionWithoutHyperpod(Rule):
    """SageMaker has HyperPod in the Region, and CloudFormation its resource type (`region`).

    Without this check the deploy of the stack fails: "Template format error: Unrecognized resource types".
    """

    id = "E2202"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod.html (Regions); cfn-lint 1.58.0"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if config.section(HyperPod) is None or context.catalog.regions.get(config.region) is None:  # rule E6001
            return
        regions = context.catalog.resource_type_regions[CLUSTER_TYPE].regions
        if config.region not in regions:
            yield Violation(
                ("region",),
                f"{config.region} has no HyperPod, which hyperpod needs; Regions with it are {listed(regions)}",
                "deploy to one of these Regions, or remove hyperpod",
            )
