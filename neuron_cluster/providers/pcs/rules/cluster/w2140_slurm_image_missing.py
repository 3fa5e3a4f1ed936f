"""A cluster without an AMI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.image.missing import MISSING, missing_hint
from neuron_cluster.providers.pcs.image.part import IMAGE_PART
from neuron_cluster.rules.base import LockRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class SlurmImageMissing(LockRule):
    """The file or the lock has the AMI of the Slurm nodes (`slurm.ami_id`).

    AWS publishes no AMI with Neuron, the PCS agent and Slurm. `neuron-cluster image build` builds one from the Deep
    Learning AMI that the lock pins, and writes its id into the lock. Only a warning: `plan` and `cost` need no AMI. No
    template is written without one (E9563).

    Without this check the nodes would start from a Deep Learning AMI without agent, never join the cluster, and PCS
    would end them after half an hour.
    """

    id = "W2140"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_ami_custom.html"
    written_by_part = IMAGE_PART

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        del catalog
        slurm = environment.config.section(Slurm)
        if slurm is None or slurm.ami_id is not None or (lock is not None and lock.slurm_image is not None):
            return
        is_parent_pinned = lock is not None and slurm.dlami in lock.dlamis
        yield Violation(("slurm", "ami_id"), MISSING, missing_hint(is_parent_pinned=is_parent_pinned))
