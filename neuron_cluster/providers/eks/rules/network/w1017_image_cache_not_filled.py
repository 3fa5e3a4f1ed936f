from __future__ import annotations

from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.needed_software import needed_charts, needed_images
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class ImageCacheNotFilled(Rule):
    """Without NAT, images and charts are pushed to ECR from outside before the software stack (`eks.image_cache`).

    According to the ECR guide the first pull through a cache rule, in a VPC with ECR endpoints, requires a route to
    the internet through a NAT gateway; later pulls of the image do not. So a user with internet access pulls each
    image and chart once by its name in the cache. The same commands copy what ECR cannot cache without credentials
    (images of ghcr.io and docker.io, charts of a chart repository).

    Without this check the pull-through cache rules exist but the cache is empty. Helm and the nodes wait for images
    that are not in ECR, and the software stack rolls back.
    """

    id = "W1017"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/vpc-endpoints.html"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        cache = plan.image_cache
        if cache is None or plan.network.has_internet:
            return
        images = [image for image in needed_images(plan, context.catalog) if image.mirror is not None]
        charts = [chart for chart in needed_charts(plan, context.catalog) if chart.mirror is not None]
        if images or charts:
            yield Violation(
                cache.path,
                f"{plan.network.lack_of_internet}, so the network cannot fill the ECR of the account: "
                f"{counted(len(images), 'image')} and {counted(len(charts), 'chart')} have to be pushed from "
                "outside",
                f"deploy the stack {plan.stack_name('images')} first; then run, with internet access, the commands "
                "that "
                f"`{Command.IMAGES}` prints; repeat after each new version",
            )
