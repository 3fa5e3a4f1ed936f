from __future__ import annotations

import re

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,511}")
PARAMETER = re.compile(r"[^\x00-\x1f\x7f]{1,256}")


class NameOfVariable(Rule):
    """Variables and hyperparameters of a job have names that SageMaker accepts (`environment`, `hyperparameters`).

    Without this check SageMaker rejects each submission with a ValidationException about a pattern.
    """

    id = "E2317"
    source = "boto/botocore 1.44.5: sagemaker TrainingEnvironmentKey, HyperParameterKey"

    def check(self, context: RuleContext) -> Violations:
        for path, job in jobs_in(context.environment.config):
            for key, pattern, names, words in (
                ("environment", VARIABLE, job.environment, "letters, digits and _, and no digit first"),
                ("hyperparameters", PARAMETER, job.hyperparameters, "one line of 1 to 256 characters"),
            ):
                for name in names:
                    if not pattern.fullmatch(name):
                        yield Violation((*path, key, name), f"a name in {key} has {words}", "give it another name")
