"""Invalid repository prefixes of pull-through cache rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class PullThroughCachePrefix(ResourceRule):
    """The repository prefix of a pull-through cache rule has ECR's format and length (`EcrRepositoryPrefix`).

    Repository names begin with the prefix, and may be longer than it.
    """

    id = "E8901"
    operation = "ecr:CreatePullThroughCacheRule"
    error_code = "InvalidParameterException"
    source = "boto/botocore 1.44.5: ecr PullThroughCacheRuleRepositoryPrefix; limit: catalog/data/limits.yaml"
    types = ("AWS::ECR::PullThroughCacheRule",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        limit = catalog.limit("ecr_cache_prefix")
        prefix = text(resource.properties.get("EcrRepositoryPrefix"))
        problem = limit.problem_with(prefix) if prefix is not None else None
        if problem is not None:
            hint = f"write {limit.minimum} to {limit.maximum} characters: {limit.pattern_in_words}"
            yield Violation("EcrRepositoryPrefix", f"{prefix} {problem}", hint)
