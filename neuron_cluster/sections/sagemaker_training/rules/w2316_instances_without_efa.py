from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class InstancesWithoutEfa(Rule):
    """A job on several instances has a type with EFA (`count`).

    Without EFA collectives go over TCP, and Neuron has no collectives between instances of such types.

    Only a warning: jobs whose instances do not communicate work.

    Without this check the first collective of such a job fails, after its instances have started.
    """

    id = "W2316"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/frameworks/torch/torch-neuronx/setup-trn1-multi-node-execution.html"
    proposes = ("count", "instance_type")

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for path, job in jobs_in(context.environment.config):
            row = catalog.training_job_types.get(job.instance_type)
            hardware = catalog.instance_types.get(row.instance_type) if row is not None else None
            if job.count > 1 and hardware is not None and not hardware.efa_interfaces:
                yield Violation(
                    (*path, "count"),
                    f"count is {job.count}, and {job.instance_type} has no EFA for collectives between instances",
                    f"set count: 1, or use an instance_type with EFA: {listed(_with_efa(catalog), 'or')}",
                )


def _with_efa(catalog: Catalog) -> list[str]:
    return [row.name for row in catalog.training_job_types if catalog.instance_types[row.instance_type].efa_interfaces]
