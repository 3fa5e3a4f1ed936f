"""The metadata configuration with which the deployed Lustre file system of an environment was created."""

from __future__ import annotations

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.fsx import file_system
from neuron_cluster.aws.session import Target

FILE_SYSTEM = "AWS::FSx::FileSystem"


def deployed_metadata(target: Target, storage_stack: str) -> str | None:
    """``automatic`` or ``none``, as ``storage.lustre.metadata`` spells it; None when no file system is deployed."""
    ids = [each.physical_id for each in resources(target, storage_stack) if each.type == FILE_SYSTEM]
    found = file_system(target, ids[0]) if ids and ids[0] else None
    if found is None:
        return None
    return "automatic" if found.has_metadata_configuration else "none"
