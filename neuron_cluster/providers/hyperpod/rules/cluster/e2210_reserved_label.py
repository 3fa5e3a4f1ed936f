from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import quoted
from neuron_cluster.providers.hyperpod.groups import HyperPodGroup, hyperpod_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ReservedLabel(Rule):
    """Labels and taints of a group are in no domain that HyperPod reserves, and at most 50 labels (`labels`, `taints`).

    Reserved are kubernetes.io, k8s.io, k8s.aws, eks.amazonaws.com, sagemaker.amazonaws.com and karpenter.sh with
    everything below them. The toolkit adds labels for the name and the queue of a group, which count.

    Without this check SageMaker rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2210"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-custom-labels-and-taints.html; "
        "boto/botocore 1.44.5: sagemaker ClusterKubernetesLabels"
    )

    def check(self, context: RuleContext) -> Violations:
        for group in hyperpod_groups(context.environment):
            for path, noun, key in _keys(group):
                if domain := _reserved_domain(key, context.catalog):
                    yield Violation(
                        path,
                        f"the {noun} key {quoted(key)} begins with {domain}, which HyperPod reserves",
                        "use your own prefix, such as example.com/, or none",
                    )
            yield from _too_many(group, context.catalog)


def _keys(group: HyperPodGroup) -> Iterator[tuple[KeyPath, str, str]]:
    for key in group.spec.labels:
        yield (*group.path, "labels", key), "label", key
    for position, taint in enumerate(group.spec.taints):
        yield (*group.path, "taints", position, "key"), "taint", taint.key


def _reserved_domain(key: str, catalog: Catalog) -> str | None:
    prefix = key.rpartition("/")[0]
    domains = (row.name for row in catalog.hyperpod_label_domains)
    return next((domain for domain in domains if prefix == domain or prefix.endswith(f".{domain}")), None)


def _too_many(group: HyperPodGroup, catalog: Catalog) -> Violations:
    """Taints have rule E3066."""
    maximum = catalog.limits["hyperpod_labels"].require_maximum()
    own = 2 if group.queue is not None else 1
    count = len(group.spec.labels) + own
    if count > maximum:
        yield Violation(
            (*group.path, "labels"),
            f"{group.name} would have {count} labels ({len(group.spec.labels)} of yours, and {own} of the toolkit); "
            f"HyperPod allows {maximum}",
            "remove labels",
        )
