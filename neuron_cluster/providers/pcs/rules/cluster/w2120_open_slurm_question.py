from __future__ import annotations

from neuron_cluster.providers.pcs.doubts import doubts_of
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class OpenSlurmQuestion(Rule):
    """What the file depends on in PCS is answered by a source.

    Nothing of this section was run on AWS. `neuron-cluster catalog doubts` lists all open questions. Only a warning.

    Without this check the first deploy is where you learn the answer.
    """

    id = "W2120"
    needs = Needs.LOCK
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/; "
        "awslabs/awsome-distributed-ai: architectures/aws-pcs/docs/ROADMAP.md"
    )

    def check(self, context: RuleContext) -> Violations:
        for row, path in doubts_of(context.environment, context.catalog, context.lock):
            yield Violation(path, f"not known yet, {row.title}: {row.unknown}", f"to find out: {row.check}")
