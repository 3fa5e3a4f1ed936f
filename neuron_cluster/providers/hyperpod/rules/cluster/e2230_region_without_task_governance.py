from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

TYPES = ("AWS::SageMaker::ClusterSchedulerConfig", "AWS::SageMaker::ComputeQuota")


class RegionWithoutTaskGovernance(Rule):
    """CloudFormation has both resource types of task governance in the Region (`region`).

    They are AWS::SageMaker::ClusterSchedulerConfig and AWS::SageMaker::ComputeQuota. The list of Regions may have gaps.

    Without this check the deploy of the stack fails: "Template format error: Unrecognized resource types".
    """

    id = "E2230"
    proposes = ("queue",)
    source = (
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/"
        "aws-resource-sagemaker-computequota.html; cfn-lint 1.58.0, registry schemas of 2026-10-20, by Region"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod = config.section(HyperPod)
        if hyperpod is None or hyperpod.task_governance is None or hyperpod.slurm is not None:  # rule E2250
            return
        rows = [context.catalog.resource_type_regions[name] for name in TYPES]
        if config.region not in context.catalog.resource_type_regions["AWS::SageMaker::Cluster"].regions:  # rule E2202
            return
        missing = [row.name for row in rows if config.region not in row.regions]
        if missing:
            both = [name for name in rows[0].regions if name in rows[1].regions]
            yield Violation(
                ("hyperpod", "task_governance"),
                f"CloudFormation has no {listed(missing)} in {config.region}; Regions with both types of task "
                f"governance are {listed(both)}",
                "remove task_governance, and set queue: training of the groups; or deploy to one of these Regions. "
                "Whether the list has a gap, `aws cloudformation describe-type --type RESOURCE --type-name "
                f"{missing[0]} --region {config.region}` shows",
            )
