from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.hyperpod_type import PREFIX
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

KEY = "hyperpod.groups[].instance_type"


class UnknownHyperpodType(Rule):
    """HyperPod has the instance type of a group (`instance_type`).

    Its API lists the types of clusters: of EC2's Neuron types it has four. Of those without Neuron devices the catalog
    has the ones that it has of EC2.

    Without this check SageMaker rejects the cluster with a ValidationException about the enum, after the EKS cluster
    has been created.
    """

    id = "E2205"
    source = "boto/botocore 1.44.5: sagemaker ClusterInstanceType"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for group in hyperpod_instances(context.environment):
            name = group.spec.instance_type
            near = [each for each in _near(name, catalog) if _is_in(context.environment.config.region, each, catalog)]
            if catalog.hyperpod_types.get(name) is None:
                yield Violation(
                    (*group.path, "instance_type"),
                    _message(name, catalog),
                    f"{did_you_mean(near)}`neuron-cluster catalog hyperpod-types` lists the types that "
                    "HyperPod and this release know",
                )


def _is_in(region: str, name: str, catalog: Catalog) -> bool:
    """Whether rule E2204 accepts the type there."""
    row = catalog.hyperpod_types.get(name)
    return row is not None and (row.regions is None or region in row.regions)


def _near(name: str, catalog: Catalog) -> list[str]:
    """Names that resemble the given one; of a Neuron type those of Neuron types."""
    neuron = _neuron_types(catalog)
    near = catalog.instance_types.similar(name)
    return [each for each in near if each in neuron] if _is_neuron_type_of_ec2(name, catalog) else near


def _message(name: str, catalog: Catalog) -> str:
    if not _is_neuron_type_of_ec2(name, catalog):
        return f"instance_type is {name}, which is not one of the HyperPod types of the catalog"
    doubt = next((each for each in catalog.hyperpod_doubts if name in each.values and each.is_about(KEY, name)), None)
    unsure = f"; in doubt: {doubt.unknown}" if doubt is not None else ""
    return f"instance_type is {name}, and the Neuron types of HyperPod are {listed(_neuron_types(catalog))}{unsure}"


def _is_neuron_type_of_ec2(name: str, catalog: Catalog) -> bool:
    row = catalog.instance_types.get(name.removeprefix(PREFIX))
    return row is not None and row.chip is not None


def _neuron_types(catalog: Catalog) -> list[str]:
    return [each.name for each in catalog.hyperpod_types if catalog.instance_types[each.name].chip is not None]
