from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.groups import HyperPodInstances, hyperpod_instances
from neuron_cluster.providers.hyperpod.rules.cluster.e2202_region_without_hyperpod import CLUSTER_TYPE
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TypeNotInPriceList(Rule):
    """The price list of SageMaker has the instance type of a group in the Region (`instance_type`).

    An error, although no page of AWS names the Regions of each type: cfn-lint reads the list, and so does CDK's
    validation of the template (E3644).

    Without this check CDK's validation rejects the template of the cluster at synthesis.
    """

    id = "E2204"
    source = (
        "https://github.com/aws-cloudformation/cfn-lint 1.58.0 and "
        "https://github.com/aws-cloudformation/cloudformation-validate 1.12.1: rule E3644, by Region"
    )

    def check(self, context: RuleContext) -> Violations:
        region, catalog = context.environment.config.region, context.catalog
        if region not in catalog.resource_type_regions[CLUSTER_TYPE].regions:  # rule E2202
            return
        for group in hyperpod_instances(context.environment):
            row = catalog.hyperpod_types.get(group.spec.instance_type)
            if row is None or row.regions is None or region in row.regions:  # rule E2205
                continue
            here = _sold_in(region, group, catalog)
            yield Violation(
                (*group.path, "instance_type"),
                f"the price list of SageMaker has {row.name} in {listed(row.regions)}, not in {region}, and CDK's "
                "validation rejects a template with a type that is not in it",
                f"use instance_type {listed(here, 'or')}, which {region} has"
                if here
                else f"set region: {listed(row.regions, 'or')}",
            )


def _sold_in(region: str, group: HyperPodInstances, catalog: Catalog) -> list[str]:
    """The types of the Region that the group may have instead: Neuron types for a Neuron group."""
    return [
        row.name
        for row in catalog.hyperpod_types
        if region in (row.regions or ())
        and (catalog.instance_types[row.name].chip is not None) == group.is_neuron
        and (group.training_plan is None or row.in_training_plans)  # rule E2211
    ]
