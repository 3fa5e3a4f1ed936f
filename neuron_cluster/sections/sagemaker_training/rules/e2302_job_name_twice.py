from __future__ import annotations

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.protocol.schedulers import all_workloads
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class JobNameTwice(Rule):
    """Names of training jobs are unique, and none is that of a bundled workload (`name`).

    `workload submit` finds a job by its name.

    Without this check a name would mean two workloads.
    """

    id = "E2302"
    source = "the design of this toolkit: one name, one workload"

    def check(self, context: RuleContext) -> Violations:
        first: dict[str, KeyPath] = {}
        bundled = {workload.name for _, workload in all_workloads()}
        for path, job in jobs_in(context.environment.config):
            if job.name in first:
                yield Violation(
                    (*path, "name"),
                    f"name is {job.name}, which another job has",
                    "give it another name",
                    related=(first[job.name],),
                )
            elif job.name in bundled:
                yield Violation(
                    (*path, "name"),
                    f"name is {job.name}, which is a workload of the toolkit",
                    "give it another name",
                )
            first.setdefault(job.name, (*path, "name"))
