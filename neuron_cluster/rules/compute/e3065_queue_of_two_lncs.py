"""One queue whose nodes have cores of two sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class QueueOfTwoLncs(ConfigRule):
    """All node groups of a queue have the same logical NeuronCores.

    A job says which queue it waits in, not which group it runs on: it must find the same cores on all of them. Groups
    whose chip has no choice are not compared.

    Without this check AWS reports no error. The job starts on whichever group has room, sees half or twice as many
    cores as it was compiled for, and fails in nrt_init or nrt_load, on some days only.
    """

    id = "E3065"
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch/neuron-features/logical-neuroncore-config.rst"
    proposes = ("logical_nc_config", "queue")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        first: dict[str, tuple[ClusterGroup, int]] = {}
        for group in environment.cluster_groups:
            lnc, queue = group.logical_nc_config, group.queue
            if queue is None or lnc is None:
                continue
            other, its_lnc = first.setdefault(queue, (group, lnc))
            if lnc != its_lnc:
                yield Violation(
                    (*group.path, "logical_nc_config"),
                    f"{group.name} has LNC {lnc} and {other.name} has LNC {its_lnc}, and both serve the "
                    f"queue {queue}: its jobs would find cores of another size from day to day",
                    f"set logical_nc_config: {its_lnc} in {group.name}, or give it a queue of its own",
                )
