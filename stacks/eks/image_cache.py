"""The images stack: rules by which ECR fetches public images, and how the repositories that it then makes are set."""

from __future__ import annotations

from aws_cdk import aws_ecr as ecr
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.image_cache_plan import CacheRulePlan, ImageCachePlan
from neuron_cluster.providers.eks.stacks import IMAGES
from stacks.environment_stack import EnvironmentStack
from stacks.stack_context import StackContext, planned


def build(context: StackContext) -> ImageCacheStack:
    plan = context.plan
    return ImageCacheStack(context.scope, plan, planned(plan.image_cache))


class ImageCacheStack(EnvironmentStack):
    """Holds no image: ECR makes the repositories at the first pull, outside of any stack, and they outlive this one."""

    def __init__(self, scope: Construct, plan: ClusterPlan, cache: ImageCachePlan) -> None:
        super().__init__(scope, IMAGES.stack_key, plan)
        for rule in cache.rules:
            self._rule(rule).add_resource_dependency(self._template(rule, plan.name))

    def _template(self, rule: CacheRulePlan, environment: str) -> ecr.CfnRepositoryCreationTemplate:
        """Tags are immutable: charts name versions, and a version is what was first pulled under its name.

        Encrypted with ECR's own key: another key, or tags on the repositories, would require a role that ECR assumes to
        make them (https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-creation-templates-create.html).
        """
        return ecr.CfnRepositoryCreationTemplate(
            self,
            f"Repositories {rule.upstream}",
            prefix=rule.prefix,
            description=f"Images of {rule.host} for the Neuron cluster {environment}",
            applied_for=["PULL_THROUGH_CACHE"],
            image_tag_mutability="IMMUTABLE",
            encryption_configuration=ecr.CfnRepositoryCreationTemplate.EncryptionConfigurationProperty(
                encryption_type="AES256"
            ),
        )

    def _rule(self, rule: CacheRulePlan) -> ecr.CfnPullThroughCacheRule:
        return ecr.CfnPullThroughCacheRule(
            self,
            f"Rule {rule.upstream}",
            ecr_repository_prefix=rule.prefix,
            upstream_registry=rule.upstream,
            upstream_registry_url=rule.registry_url,
        )
