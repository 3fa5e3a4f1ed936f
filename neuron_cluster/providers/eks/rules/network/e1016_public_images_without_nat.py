from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.ecr_host import private_registry
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import NeededImage, Origin, needed_charts, needed_images, registry_of
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.components.registry import CHARTS_OF_GROUPS

OUT_OF_REACH = {Origin.PUBLIC: "a public registry", Origin.ANOTHER_REGION: "the ECR of another Region"}
"""Registries without a VPC endpoint."""


class PublicImagesWithoutNat(Rule):
    """In a network without NAT, nodes pull no image from a public registry (`network.nat`).

    VPC endpoints connect to the ECR of the Region, including that of EKS, and to no other registry. With
    `eks.image_cache`, images of public registries are pulled by their names in the ECR of the account (W1017 describes
    how to push them). Charts that are not reachable are reported by E1005.

    Without this check the chart is installed, and its pods remain in ImagePullBackOff, "dial tcp: i/o timeout".
    """

    id = "E1016"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html"

    def check(self, context: RuleContext) -> Violations:
        plan, catalog = context.plan, context.catalog
        if plan.network.has_internet:
            return
        absent = {chart.component for chart in needed_charts(plan, catalog) if chart.is_public and chart.mirror is None}
        for image in needed_images(plan, catalog):
            if image.origin in OUT_OF_REACH and image.mirror is None and not absent.issuperset(image.needed_by):
                yield _problem(image, plan, catalog)


def _problem(image: NeededImage, plan: ClusterPlan, catalog: Catalog) -> Violation:
    upstream = catalog.pull_through_upstreams.of_host(registry_of(image.reference))
    can_cache = plan.kubernetes is not None and plan.kubernetes.image_cache is None and upstream is not None
    cache = "set eks.image_cache: true; or " if can_cache else ""
    command = f" (`{Command.IMAGES}`)" if image.origin is Origin.PUBLIC else ""
    name = image.reference.rpartition("/")[2]
    if image.path[0] == "neuron":
        where = f"list the copy in the ECR of the account: {private_registry(plan.account, plan.region)}/…/{name}"
    elif image.needed_by[0] in CHARTS_OF_GROUPS:
        where = "set a copy in eks.chart_values"
    else:
        where = f"set a copy in eks.chart_values; or set eks.addons.{image.needed_by[0]}: false"
    return Violation(
        image.path,
        f"{plan.network.lack_of_internet}, and {listed(image.needed_by)} would pull {image.reference} from "
        f"{OUT_OF_REACH[image.origin]}",
        f"{plan.network.internet_edit}; or {cache}copy it{command} and {where}",
    )
