"""Images that are the newest of the day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import LOCK_IT, LockRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ImageNotPinned(LockRule):
    """Every workstation has a pinned image: by the lock of the environment, or by itself.

    Without this check an update may replace the machine, for instance a larger root volume, and the new one starts
    from the image of that day: with another Neuron SDK, and without the virtual environment that it was set up with.
    """

    id = "W7010"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("ami_id",)
    references = ("aws-neuron/aws-neuron-sdk#655", "huggingface/optimum-neuron#572")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        del catalog
        config = environment.config
        locked = lock.dlamis if lock is not None else {}
        for workstation in environment.workstations:
            dlami = workstation.dlami
            if dlami is None or workstation.spec.ami_id or dlami.name in locked:
                continue
            if config.region in dlami.regions_without_parameter:  # rule E7009 asks for ami_id
                continue
            yield Violation(
                (*workstation.path, "ami_id"),
                f"no lock and no ami_id pins the image of {workstation.name}: an update may replace the machine "
                f"by one with the newest {dlami.name} of that day",
                f"run `{LOCK_IT}`, which pins the AMIs of all workstations; or set ami_id of this workstation",
            )
