from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import needed_charts
from neuron_cluster.providers.eks.config.addons import InstalledOtherwise
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations

DRA_DRIVER, DEVICE_PLUGIN = "neuron_dra_driver", "neuron_device_plugin"


class PublicChartsWithoutNat(Rule):
    """A network without NAT installs no chart from a public registry (`network.nat`).

    The kubectl function pulls charts from inside the VPC. VPC endpoints connect to AWS services in the Region, but not
    to public.ecr.aws, registry.k8s.io and github.io. With `eks.image_cache`, all charts come from the ECR of the
    account (W1017 describes how to push them).

    Without this check the network, the cluster and the nodes are created; then helm waits for a connection until the
    custom resource times out, and the software stack rolls back after up to an hour.
    """

    id = "E1005"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        if plan.network.has_internet:
            return
        public = [chart for chart in needed_charts(plan, context.catalog) if chart.is_public and chart.mirror is None]
        if not public:
            return
        components = [chart.component for chart in public]
        if DRA_DRIVER in components:
            components.append(DEVICE_PLUGIN)  # which is the default without the driver
        flags = list(dict.fromkeys(components))
        yield Violation(
            plan.network.internet_path,
            f"{plan.network.lack_of_internet}, and {listed(dict.fromkeys(chart.chart for chart in public))} come from "
            "public registries, which are not reachable without NAT",
            f"{plan.network.internet_edit}; or set eks.image_cache: true, which uses the ECR of the account; or "
            f"install the software yourself from a registry that the VPC can reach, and set {_way(flags, plan)}",
        )


def _way(flags: list[str], plan: ClusterPlan) -> str:
    """Edits that list software as installed otherwise where that is possible, and disable the rest."""
    known = [each.value for each in InstalledOtherwise]
    there = plan.kubernetes.installed_otherwise if plan.kubernetes is not None else ()
    named = [each for each in flags if each in known]
    whole = ", ".join(dict.fromkeys([*there, *named]))
    otherwise = [f"eks.installed_otherwise: [{whole}] (and remove {listed(named)} from eks.addons)"] if named else []
    return listed([*otherwise, *(f"eks.addons.{each}: false" for each in flags if each not in known)])
