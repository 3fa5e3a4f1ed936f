from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownInstanceType(Rule):
    """Every instance type is in the catalog (`instance_type`).

    Its network cards, Neuron devices, images and prices come from the catalog. Groups of HyperPod have rule E2205.

    Without this check EC2 rejects the launch template with InvalidParameterValue at its first use, and the group
    becomes CREATE_FAILED after the cluster has been created.
    """

    id = "E3001"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html"
    references = ("eksctl-io/eksctl#5906",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for group in context.environment.compute_groups:
            name = group.spec.instance_type
            if group.instance_type is None and group.is_sold_by_ec2:
                near = [each for each in catalog.instance_types.similar(name) if _can_be_launched(each, catalog)]
                yield Violation(
                    (*group.path, "instance_type"),
                    f"instance_type is {name}, which is not in the catalog",
                    f"{did_you_mean(near)}`neuron-cluster catalog instances` lists the types of this release",
                )


def _can_be_launched(name: str, catalog: Catalog) -> bool:
    row = catalog.instance_types.get(name)
    return row is not None and row.launchable
