"""What the image cache is asked for and does not give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.catalog.chart import OCI
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import PlanRule, Violation
from neuron_cluster.software.needed_software import Origin, needed_charts, needed_images, registry_of

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class PastTheCache(PlanRule):
    """With `eks.image_cache`, everything that still comes from a public registry is named.

    ECR caches ghcr.io and docker.io only with a secret that holds credentials for them, which this toolkit does not
    ask for; and it caches registries, not chart repositories (`https://`).

    Only a warning: with NAT these are pulled from where they lie. Without NAT they are E1005 and E1016.

    Without this check one believes that an outage or a rate limit of a public registry cannot stop a new node, and it
    can.
    """

    id = "W1018"
    source = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache-creating-rule.html"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        cache = plan.image_cache
        if cache is None or not plan.network.has_internet:
            return
        images = [i for i in needed_images(plan, catalog) if i.origin is Origin.PUBLIC and i.mirror is None]
        charts = [chart for chart in needed_charts(plan, catalog) if chart.is_public and chart.mirror is None]
        words = [f"{image.reference} (of {listed(image.needed_by)})" for image in images]
        words += [f"the chart {chart.chart} of {registry_of(chart.reference)}" for chart in charts]
        if words:
            hosts = listed(dict.fromkeys(registry_of(image.reference) for image in images))
            login = f"no rule here caches {hosts}, for ECR would need your credentials there" if images else ""
            no_registry = (
                "a chart repository is no registry" if any(not c.reference.startswith(OCI) for c in charts) else ""
            )
            yield Violation(
                cache.path,
                f"past the cache, straight from public registries: {listed(words)}",
                f"{'; '.join(filter(None, (login, no_registry)))}; nothing to do as long as the network has NAT",
            )
