"""A cache, and copies, that nobody inside a network without NAT can fill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.text import counted
from neuron_cluster.rules.base import PlanRule, Violation
from neuron_cluster.software.needed_software import needed_charts, needed_images

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class CacheFilledFromElsewhere(PlanRule):
    """In a network without NAT, images and charts are brought into ECR from elsewhere, before the software comes.

    The ECR guide: the first pull through a rule, in a VPC with ECR endpoints, needs a route to the internet through a
    NAT gateway; later pulls of the image do not. So somebody with internet access pulls each image and chart once by
    its name in the cache, and nodes find it there. What ECR does not cache without credentials (images of ghcr.io and
    docker.io, charts of a chart repository) lies beside the cache as copies, which the same commands make.

    Without this check the rules are there and the cache is empty. Helm and the nodes wait for what ECR does not have,
    and the software stack rolls back.
    """

    id = "W1017"
    source = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/vpc-endpoints.html"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        cache = plan.image_cache
        if cache is None or plan.network.has_internet:
            return
        images = [image for image in needed_images(plan, catalog) if image.mirror is not None]
        charts = [chart for chart in needed_charts(plan, catalog) if chart.mirror is not None]
        if images or charts:
            yield Violation(
                cache.path,
                "nat is none, so nothing in the network fills the ECR of the account: "
                f"{counted(len(images), 'image')} and {counted(len(charts), 'chart')} have to be brought there from "
                "elsewhere",
                f"deploy the stack {plan.stack_name('images')} first, then run, where there is internet access, what "
                f"`{Command.IMAGES}` prints; again after each new version",
            )
