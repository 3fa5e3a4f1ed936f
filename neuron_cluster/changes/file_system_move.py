"""How the files of a Lustre file system move to one with other settings: a numbered procedure with times."""

from __future__ import annotations

from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.lustre_performance import NO_TIER
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.text import size_text, time_text

FILE_SYSTEM = "AWS::FSx::FileSystem"
ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"
PAGE = "docs/storage.md, Move a file system"
GIB, MB = 2**30, 10**6


def move_steps(before: StackSet, after: StackSet, address: Address, catalog: Catalog) -> str:
    """Steps from the deployed file system to one as the file has it; the times are those of full file systems."""
    copied, read = _times(before, after, address, catalog)
    if any(before.resource(each)["Type"] == ASSOCIATION for each in before.addresses()):
        drained = f"stop its jobs and wait until AgeOfOldestQueuedMessage of AutoExport is 0{copied}"
    else:
        drained = f"stop its jobs and copy the files from a pod into the checkpoint bucket with aws s3 sync{copied}"
    steps = (
        drained,
        "write a second file with another `name`, a checkpoint_bucket and no lustre, and deploy it",
        "copy from bucket to bucket with aws s3 sync, below the same prefix",
        f"add lustre with the new setting and `sync` to it and deploy it: files appear and are read at first use{read}",
        "submit the jobs to the second environment and let one of them resume",
        f"`{Command.DESTROY_WITH_DATA}` deletes the old one",
    )
    return "; ".join(f"{number}. {step}" for number, step in enumerate(steps, 1)) + f" ({PAGE})"


def _times(before: StackSet, after: StackSet, address: Address, catalog: Catalog) -> tuple[str, str]:
    """Returns the times of the export and of the first reads; empty without the deployment type in the catalog."""
    old, new = _capacity_and_speed(before, address, catalog), _capacity_and_speed(after, address, catalog)
    if old is None or new is None:
        return "", ""
    size, export, _ = old
    _, _, write = new
    return f" (at most {time_text(size / export)} for {size_text(size)})", f" (at most {time_text(size / write)})"


def _capacity_and_speed(stacks: StackSet, address: Address, catalog: Catalog) -> tuple[float, float, float] | None:
    """Bytes that it may hold, and bytes a second of an export and of writes."""
    properties = stacks.properties(address)
    lustre = properties.get("LustreConfiguration", {})
    performance = catalog.lustre_performances.get(str(lustre.get("DeploymentType")))
    capacity, tier = str(properties.get("StorageCapacity")), str(lustre.get("PerUnitStorageThroughput", NO_TIER))
    if performance is None or not capacity.isdecimal() or not tier.isdecimal() or int(tier) not in performance.tiers:
        return None
    write = performance.write_mbps(int(capacity), int(tier)) * MB
    return int(capacity) * GIB * performance.fill_limit, write * performance.export_share, write
