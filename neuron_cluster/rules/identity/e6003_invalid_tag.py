from __future__ import annotations

from neuron_cluster.findings.text import quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.own_domain import OWN_DOMAIN

OWN_KEYS = ("Name",)
OWN_PREFIXES = (OWN_DOMAIN, "kubernetes.io/")
"""Subnets and instances are found by these."""
RESERVED_FOR_TOOLKIT = 10
"""Tags that the toolkit, EKS and load balancer controllers add to one resource."""


class InvalidTag(Rule):
    """Tags have keys and values that every AWS service accepts, and no reserved keys (`tags`).

    Most services treat keys that differ only in case as two tags; IAM treats them as one.

    Without this check the first service that rejects a tag (CloudFormation for "aws:", IAM for keys that differ in
    case with "Duplicate tag keys found", any service for the 51st) rolls its stack back, often after other stacks have
    been deployed.
    """

    id = "E6003"
    source = (
        "https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html; "
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html#id_tags_rules"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        seen: dict[str, str] = {}
        for key, value in config.tags.items():
            path = ("tags", key)
            if problem := context.catalog.limits["tag_key"].problem_with(key):
                yield Violation(path, f"the tag key {quoted(key)} {problem}", "rename the tag")
            elif key in OWN_KEYS or key.startswith(OWN_PREFIXES):
                yield Violation(path, f"the tag key {quoted(key)} is reserved for the toolkit", "rename the tag")
            if problem := context.catalog.limits["tag_value"].problem_with(value):
                yield Violation(path, f"the tag value {quoted(value)} {problem}", f"change the value of {quoted(key)}")
            if (other := seen.setdefault(key.lower(), key)) != key:
                yield Violation(
                    path, f"the tag keys {quoted(other)} and {quoted(key)} differ only in case", "keep one of the two"
                )
        limit = context.catalog.limits["tags_per_resource"].require_maximum() - RESERVED_FOR_TOOLKIT
        if len(config.tags) > limit:
            yield Violation(
                ("tags",),
                f"there are {len(config.tags)} tags; at most {limit} are allowed beside those that the toolkit and EKS "
                "set",
                f"remove tags until there are {limit}",
            )
