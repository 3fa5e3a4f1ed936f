from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, SLURM, groups_of, has_orchestrator


class DeepHealthChecksNotSupported(TemplateRule):
    """HyperPod has deep health checks for the instance type and the orchestrator (`OnStartDeepHealthChecks`).

    Types without accelerators have none, and clusters of Slurm have them for GPUs alone. Types that the catalog does
    not have are not checked.

    Without this check SageMaker may reject the cluster with a ValidationException (read from the guide, not tried).
    """

    id = "E8925"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-resiliency-slurm-deep-health-checks.html; "
        "types: catalog/data/hyperpod_types.yaml"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        is_on_slurm = has_orchestrator(context.resource, SLURM)
        for group in groups_of(context.resource):
            row = context.catalog.hyperpod_types.get(text(group.at("InstanceType")) or "")
            if not items(group.at("OnStartDeepHealthChecks")) or row is None:
                continue
            if is_on_slurm or not row.has_deep_health_checks:
                where = " in clusters of Slurm" if is_on_slurm else ""
                yield Violation(
                    f"{group.path}.OnStartDeepHealthChecks",
                    f"is set; HyperPod has no deep health checks of {row.name}{where}",
                    "remove OnStartDeepHealthChecks",
                )
