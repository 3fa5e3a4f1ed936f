from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.groups import hyperpod_groups
from neuron_cluster.providers.hyperpod.rules.cluster.e2202_region_without_hyperpod import CLUSTER_TYPE
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TypeNotInPriceList(Rule):
    """The price list of SageMaker has the instance type of a group in the Region (`instance_type`).

    Only a warning: the list is what cfn-lint reads of prices, and no page of AWS names Regions of each type.

    Without this check SageMaker rejects the group with a ValidationException, or has no capacity for it.
    """

    id = "W2204"
    source = "https://github.com/aws-cloudformation/cfn-lint 1.58.0: types of AWS::SageMaker::Cluster, by Region"

    def check(self, context: RuleContext) -> Violations:
        region, catalog = context.environment.config.region, context.catalog
        if region not in catalog.resource_type_regions[CLUSTER_TYPE].regions:  # rule E2202
            return
        for group in hyperpod_groups(context.environment):
            row = catalog.hyperpod_types.get(group.spec.instance_type)
            if row is None or row.regions is None or region in row.regions:  # rule E2205
                continue
            here = [
                each.name
                for each in catalog.hyperpod_types
                if region in (each.regions or ()) and catalog.instance_types[each.name].chip
            ]
            other = f"use {listed(here, 'or')}, which the list has in {region}; or " if here and group.is_neuron else ""
            yield Violation(
                (*group.path, "instance_type"),
                f"the price list that cfn-lint reads has {row.name} in {listed(row.regions)}, not in {region}",
                f"{other}look for the quota {row.quota} in {region}: `aws service-quotas list-service-quotas "
                f"--service-code sagemaker --region {region}`",
            )
