"""Open questions that the file depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.pcs.doubts import doubts_of
from neuron_cluster.rules.base import LockRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class OpenSlurmQuestion(LockRule):
    """What the file depends on in PCS is answered by a source.

    Nothing of this section was run on AWS. `neuron-cluster catalog doubts` lists all open questions. Only a warning.

    Without this check the first deploy is where you learn the answer.
    """

    id = "W2120"
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/; "
        "awslabs/awsome-distributed-ai: architectures/aws-pcs/docs/ROADMAP.md"
    )

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        for row, path in doubts_of(environment, catalog, lock):
            yield Violation(path, f"not known yet, {row.title}: {row.unknown}", f"to find out: {row.check}")
