"""File systems that nodes of PCS do not mount."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.slurm.config.cluster import Slurm
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class FileSystemNotMounted(ConfigRule):
    """Nodes of PCS mount the file systems of the environment (`storage`).

    The toolkit does not do this yet: the AMI, or a script of yours, mounts them. Only a warning.

    Without this check jobs write to the root volume of their node, which is deleted with it.
    """

    id = "W2121"
    source = "the design of this toolkit: docs/slurm.md"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        if environment.config.section(Slurm) is None or storage is None:
            return
        for key, value in (("lustre", storage.lustre), ("efs", storage.efs)):
            if value is not None:
                yield Violation(
                    ("storage", key),
                    f"nodes of slurm do not mount {key}: the toolkit has no mounts for PCS yet",
                    "mount it in the AMI of slurm.ami_id (docs/slurm.md)",
                )
