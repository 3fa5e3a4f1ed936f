from __future__ import annotations

from neuron_cluster.catalog.ecr_host import PRIVATE_ECR
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text

NAMED_BY_THEIR_OWNERS = (".azurecr.io", PRIVATE_ECR)
"""In addresses that begin with the owner's name or account; ECR supports these as well."""


class PullThroughCacheUpstream(TemplateRule):
    """The upstream of a pull-through cache rule is a registry that ECR supports (`UpstreamRegistryUrl`).

    Docker Hub's address is registry-1.docker.io, not the docker.io of image names.
    """

    id = "E8902"
    operation = "ecr:CreatePullThroughCacheRule"
    error_code = "UnsupportedUpstreamRegistryException"
    source = (
        "https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache.html; registries: "
        "catalog/data/pull_through_upstreams.yaml"
    )
    types = ("AWS::ECR::PullThroughCacheRule",)

    def check(self, context: TemplateContext) -> Violations:
        address = text(context.resource.properties.get("UpstreamRegistryUrl"))
        known = {row.registry_url: row.name for row in context.catalog.pull_through_upstreams}
        if address is None or any(part in address for part in NAMED_BY_THEIR_OWNERS):
            return
        if address not in known:
            yield Violation(
                "UpstreamRegistryUrl",
                f"is {address}, which ECR does not support as an upstream; it supports {', '.join(known)}",
                f"{did_you_mean_one_of(address, known)}For another registry, remove the rule: nodes then pull "
                "from that registry, or from your own copy",
                f"The specified upstream registry {address} isn't supported.",
            )
        elif text(context.resource.properties.get("UpstreamRegistry")) not in (None, known[address]):
            name = context.resource.properties["UpstreamRegistry"]
            hint = f"remove UpstreamRegistry, or write {known[address]}"
            yield Violation("UpstreamRegistry", f"is {name}, but the registry {address} is {known[address]}", hint)
