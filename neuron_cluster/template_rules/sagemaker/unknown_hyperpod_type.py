from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.catalog.hyperpod_type import PREFIX
from neuron_cluster.findings.text import listed
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, InstanceGroup, groups_of

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class UnknownHyperPodType(TemplateRule):
    """The instance types of a group are HyperPod's (`InstanceType`, `InstanceRequirements.InstanceTypes`).

    Of types with Neuron devices HyperPod has few: those of the catalog. The price list of cfn-lint also has ml.inf2
    types and ml.trn1.2xlarge, which the API does not. Names of other types are checked for ml. alone.
    """

    id = "E8915"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "boto/botocore 1.44.5: sagemaker ClusterInstanceType; types: catalog/data/hyperpod_types.yaml"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for group in groups_of(context.resource):
            for path, name in _named(group):
                if _is_rejected(name, context.catalog):
                    possible = _neuron_types(context.catalog)
                    yield Violation(
                        path,
                        f"is {name}; HyperPod's Neuron types are {listed(possible)}",
                        f"write {listed(possible, 'or')}, or a type without Neuron devices whose name begins with "
                        f"{PREFIX}",
                    )


def _named(group: InstanceGroup) -> Iterator[tuple[str, str]]:
    """Path and name of each type that is known before the deploy."""
    path = "InstanceRequirements.InstanceTypes"
    several = items(group.at("InstanceRequirements", "InstanceTypes"))
    places = [("InstanceType", group.at("InstanceType"))]
    places += [(f"{path}[{position}]", value) for position, value in enumerate(several)]
    for place, value in places:
        name = text(value)
        if name is not None:
            yield f"{group.path}.{place}", name


def _is_rejected(name: str, catalog: Catalog) -> bool:
    """True for a name without ``ml.``, and for a type of a family with Neuron devices that HyperPod does not have."""
    if not name.startswith(PREFIX):
        return True
    families = {row.name.partition(".")[0] for row in catalog.instance_types if row.neuron_devices}
    return name.removeprefix(PREFIX).partition(".")[0] in families and catalog.hyperpod_types.get(name) is None


def _neuron_types(catalog: Catalog) -> list[str]:
    rows = ((row.name, catalog.instance_types.get(row.name)) for row in catalog.hyperpod_types)
    return [name for name, row in rows if row is not None and row.neuron_devices]
