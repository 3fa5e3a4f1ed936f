from __future__ import annotations

from neuron_cluster.providers.hyperpod.doubts import doubts_of
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class OpenHyperpodQuestion(Rule):
    """Each behaviour of HyperPod that the file depends on is answered by a source.

    Nothing of this section was run on AWS. `neuron-cluster catalog hyperpod-doubts` lists all open questions. Only a
    warning: the message states what the toolkit assumes.

    Without this check the first deploy is where you learn the answer.
    """

    id = "W2218"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod.html; the rows of the catalog"

    def check(self, context: RuleContext) -> Violations:
        for row, path in doubts_of(context.environment, context.catalog):
            yield Violation(
                path,
                f"not known yet, {row.title}: {row.unknown}; assumed: {row.assumed}",
                f"to find out: {row.check}",
            )
