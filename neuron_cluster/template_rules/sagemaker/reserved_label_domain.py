from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_cluster.findings.text import listed
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, InstanceGroup, groups_of


class ReservedLabelDomain(TemplateRule):
    """Labels and taints of a group are outside of the domains that HyperPod reserves (`Labels`, `Taints`).

    Neither are they more than HyperPod takes.
    """

    id = "E8923"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-custom-labels-and-taints.html; "
        "domains: catalog/data/hyperpod_label_domains.yaml; numbers: catalog/data/limits.yaml"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        domains = [row.name for row in context.catalog.hyperpod_label_domains]
        for group in groups_of(context.resource):
            for path, key in _keys(group):
                domain = key.partition("/")[0] if "/" in key else ""
                if any(f".{domain}".endswith(f".{reserved}") for reserved in domains):
                    yield Violation(
                        path,
                        f"{key} is in a reserved domain; reserved are {listed(domains)}",
                        f"remove {key}, or write it with a domain of your own",
                    )
            for name, limit in (("Labels", "hyperpod_labels"), ("Taints", "hyperpod_taints")):
                found, maximum = _number(group, name), context.catalog.limits[limit].require_maximum()
                if found > maximum:
                    yield Violation(
                        f"{group.path}.KubernetesConfig.{name}",
                        f"has {found} entries; {maximum} are allowed",
                        f"keep the first {maximum} entries",
                    )


def _keys(group: InstanceGroup) -> Iterator[tuple[str, str]]:
    labels = group.at("KubernetesConfig", "Labels")
    for key in labels if isinstance(labels, Mapping) else ():
        yield f"{group.path}.KubernetesConfig.Labels", key
    for position, taint in enumerate(items(group.at("KubernetesConfig", "Taints"))):
        key = text(at(taint, "Key"))
        if key is not None:
            yield f"{group.path}.KubernetesConfig.Taints[{position}].Key", key


def _number(group: InstanceGroup, name: str) -> int:
    entries = group.at("KubernetesConfig", name)
    return len(entries) if isinstance(entries, Mapping) else len(items(entries))
