"""The source of a PersistentVolume, which Kubernetes does not change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from local_aws.cloudformation.values import Address
from local_kubernetes.model.fields import at
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.guards.existing_storage import BUCKET, FILE_SYSTEM, exchanged
from neuron_cluster.changes.kubernetes_objects import OBJECTS, parsed
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.text import listed


class VolumeSourceChanged(Guard):
    """A PersistentVolume that the software stack created keeps its source (`storage.lustre.existing`).

    Kubernetes rejects a change of the file system, the DNS name, the mount name or the bucket of a volume: the deploy
    fails after it has updated other stacks, and rolls back.
    """

    id = "E9579"
    key = ("storage", "lustre", "existing")
    source = "https://kubernetes.io/docs/concepts/storage/persistent-volumes/"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for all volumes, where no other guard has the cause."""
        if any(any(exchanged(comparison, output)) for output in (FILE_SYSTEM, BUCKET)):
            return
        found = {
            address: name for address in sorted(comparison.updated) if (name := _changed_volume(comparison, address))
        }
        if found:
            names = listed(list(found.values()))
            yield Violation(
                next(iter(found)),
                f"the source of {names} would change, and Kubernetes changes no source of a PersistentVolume",
                f"undo the edit; or stop the pods, take the claims out of the file and deploy, delete claims and "
                f"volumes ({names}) with kubectl (docs/storage.md, Removed keys), then make the edit with the claims "
                "and deploy",
            )


def _changed_volume(comparison: Comparison, address: Address) -> str:
    """Its name; empty for anything else."""
    if comparison.type_of(address) != OBJECTS:
        return ""
    before, after = (_volume(stacks, address) for stacks in (comparison.before, comparison.after))
    if not before or not after or at(before, "spec", "csi") == at(after, "spec", "csi"):
        return ""
    return f"the volume {at(before, 'metadata', 'name')}"


def _volume(stacks: StackSet, address: Address) -> Any:
    """The PersistentVolume of the manifest; None for others, and where a value is known to AWS alone."""
    text = stacks.properties(address).get("Manifest")
    objects = parsed(text) if isinstance(text, str) else None
    return next((each for each in objects or () if at(each, "kind") == "PersistentVolume"), None)
