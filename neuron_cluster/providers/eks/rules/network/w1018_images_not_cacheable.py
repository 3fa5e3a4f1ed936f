from __future__ import annotations

from neuron_cluster.catalog.chart import OCI
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.needed_software import Origin, needed_charts, needed_images, registry_of
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class ImagesNotCacheable(Rule):
    """All images and charts of public registries are served by the image cache (`eks.image_cache`).

    ECR caches ghcr.io and docker.io only with a secret that has credentials for them, which the toolkit does not
    create; and it caches registries, not chart repositories (`https://`).

    Only a warning: with NAT these are pulled from the public registry. Without NAT see E1005 and E1016.

    Without this check AWS reports no error. An outage or a rate limit of a public registry can still prevent a new
    node from starting its pods.
    """

    id = "W1018"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache-creating-rule.html"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        cache = plan.image_cache
        if cache is None or not plan.network.has_internet:
            return
        images = [i for i in needed_images(plan, context.catalog) if i.origin is Origin.PUBLIC and i.mirror is None]
        charts = [chart for chart in needed_charts(plan, context.catalog) if chart.is_public and chart.mirror is None]
        texts = [f"{image.reference} (of {listed(image.needed_by)})" for image in images]
        texts += [f"the chart {chart.chart} of {registry_of(chart.reference)}" for chart in charts]
        if texts:
            hosts = listed(dict.fromkeys(registry_of(image.reference) for image in images))
            login = f"ECR would require your credentials to cache {hosts}" if images else ""
            no_registry = (
                "ECR does not cache chart repositories" if any(not c.reference.startswith(OCI) for c in charts) else ""
            )
            yield Violation(
                cache.path,
                f"not cached, pulled from public registries: {listed(texts)}",
                f"{'; '.join(filter(None, (login, no_registry)))}; no change is required while the network has NAT",
            )
