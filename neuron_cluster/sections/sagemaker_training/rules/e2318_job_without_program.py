from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.sagemaker.launcher import EXAMPLES
from neuron_cluster.sections.sagemaker_training.config.job import Launcher
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class JobWithoutProgram(Rule):
    """A job whose front end has no example names its program (`program`).

    The launcher has examples on synthetic data for JAX and NxD. TorchTitan's own configurations are each for one type.

    Without this check the request would have no program to start.
    """

    id = "E2318"
    source = "the design of this toolkit: an example for each front end that runs on every type"
    proposes = ("front_end",)

    def check(self, context: RuleContext) -> Violations:
        for path, job in jobs_in(context.environment.config):
            if job.launcher is Launcher.NEURON_TRAINING and not job.program and job.front_end.value not in EXAMPLES:
                yield Violation(
                    (*path, "front_end"),
                    f"front_end is {job.front_end.value}, and the job has no program",
                    f"add program, or use front_end {listed(sorted(EXAMPLES), 'or')} for an example",
                )
