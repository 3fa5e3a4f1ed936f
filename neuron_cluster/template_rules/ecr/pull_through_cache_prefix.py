from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text


class PullThroughCachePrefix(TemplateRule):
    """The repository prefix of a pull-through cache rule has ECR's format and length (`EcrRepositoryPrefix`).

    Repository names begin with the prefix, and may be longer than it.
    """

    id = "E8901"
    operation = "ecr:CreatePullThroughCacheRule"
    error_code = "InvalidParameterException"
    source = "boto/botocore 1.44.5: ecr PullThroughCacheRuleRepositoryPrefix; limit: catalog/data/limits.yaml"
    types = ("AWS::ECR::PullThroughCacheRule",)

    def check(self, context: TemplateContext) -> Violations:
        limit = context.catalog.limits["ecr_cache_prefix"]
        prefix = text(context.resource.properties.get("EcrRepositoryPrefix"))
        problem = limit.problem_with(prefix) if prefix is not None else None
        if problem is not None:
            hint = f"write {limit.minimum} to {limit.maximum} characters: {limit.pattern_in_words}"
            yield Violation("EcrRepositoryPrefix", f"{prefix} {problem}", hint)
