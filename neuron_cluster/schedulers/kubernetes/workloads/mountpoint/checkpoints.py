"""Checkpoints that pods of user manifests write through Mountpoint for S3, which cannot do what all frameworks do.

A manifest shows the image, the arguments and the variables of a container, and the options of the mount. Packages of an
image and the defaults of a program are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil

from local_kubernetes.model.fields import whole_number
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.mountpoint.volumes import Manifests, WrittenMount, written_mounts

FRAMEWORKS = {
    "orbax": re.compile(r"orbax", re.IGNORECASE),
    "safetensors": re.compile(r"safetensors", re.IGNORECASE),
    "nxd": re.compile(r"neuronx.distributed|\bnxd", re.IGNORECASE),
    "dcp": re.compile(r"torchtitan|torch.distributed.checkpoint|s3torchconnector", re.IGNORECASE),
}
"""Words in the settings or the image of a container."""
NXD = ("nxd", "nxd_xser")
SAFETENSORS = re.compile(r"safetensors\s*(<|[=~>]?=)\s*(\d+)\.(\d+)", re.IGNORECASE)
ROTATION = re.compile(r"(keep_latest(_k)?|num_kept_ckpts|save_total_limit|max_to_keep|keep_last(_n)?)$", re.IGNORECASE)
"""Options of TorchTitan, NxD, Hugging Face, Orbax and Lightning that delete old checkpoints."""
KEEPS_ALL = ("", "0", "-1", "none", "null")
DELETE, OVERWRITE, PART_SIZE = "allow-delete", "allow-overwrite", "write-part-size"
OPTIONS = "spec.mountOptions"
ON_LUSTRE = "mount a claim on storage.lustre there, such as lustre"
MIB, GB = 2**20, 10**9


def mountpoint_findings(manifests: Manifests, plan: ClusterPlan, catalog: Catalog) -> Iterator[Finding]:
    """E4110 to W4115, each once for a container or a volume."""
    seen: set[tuple[str, Location]] = set()
    for mount in written_mounts(manifests):
        for each in _findings(mount, plan, catalog) if mount.has_checkpoints else ():
            if (each.id, each.location) not in seen:
                seen.add((each.id, each.location))
                yield each


def _findings(mount: WrittenMount, plan: ClusterPlan, catalog: Catalog) -> Iterator[Finding]:
    frameworks, source = _frameworks(mount, plan)
    renames = list(_renames(mount, frameworks, source, catalog))
    yield from renames
    if renames:  # options do not matter where no save ends
        return
    if any(each in NXD for each in frameworks):
        message = f"writes checkpoints of NxD to {mount.path}, {source}, and no source reports NxD on Mountpoint"
        yield _of_container("W4114", mount, message, f"test a save and a restore there first, or {ON_LUSTRE}")
    yield from _options(mount)
    yield from _too_large(mount, plan, catalog)


def _frameworks(mount: WrittenMount, plan: ClusterPlan) -> tuple[list[str], str]:
    """Returns the frameworks that the container names, else that of the plan; and the evidence, as a clause."""
    if named := [name for name, pattern in FRAMEWORKS.items() if pattern.search(mount.text)]:
        return named, "as its image, arguments or variables show"
    checkpoints = plan.storage.checkpoints if plan.storage is not None else None
    planned = [checkpoints.request.framework] if checkpoints is not None else []
    return planned, f"as storage.checkpoints.framework: {planned[0]} shows" if planned else ""


def _renames(mount: WrittenMount, frameworks: list[str], source: str, catalog: Catalog) -> Iterator[Finding]:
    if "orbax" in frameworks:
        message = f"writes checkpoints of Orbax to {mount.path}, {source}; Orbax renames the folder of a save"
        yield _of_container("E4110", mount, f"{message}, which Mountpoint for S3 rejects", ON_LUSTRE)
    elif "safetensors" in frameworks:
        renaming = catalog.limits["safetensors_minor_version_with_rename"].require_minimum()
        version = SAFETENSORS.search(mount.text)
        if version is None:
            message = f"writes files of safetensors to {mount.path} in a version that the manifest does not show"
            hint = f"{ON_LUSTRE}, or name a version below 0.{renaming}: safetensors==0.{renaming - 1}"
            yield _of_container("W4111", mount, f"{message}; from 0.{renaming} on a save renames its file", hint)
        elif version[1] != "<" and (int(version[2]), int(version[3])) >= (0, renaming):
            message = f"writes files of {version[0]} to {mount.path}; from 0.{renaming} on a save renames its file"
            yield _of_container("E4110", mount, f"{message}, which Mountpoint for S3 rejects", ON_LUSTRE)


def _options(mount: WrittenMount) -> Iterator[Finding]:
    rotating = next(
        (name for name, value in mount.settings if ROTATION.search(name.replace("-", "_")) and _deletes(value)), None
    )
    if rotating is not None and DELETE not in mount.volume.options:
        user = f"{mount.template.owner.place} deletes old checkpoints, as {rotating} shows"
        message = f"has no {DELETE}, and {user}: Mountpoint for S3 rejects it"
        yield _of_volume("E4112", mount, message, f"add {DELETE} to {OPTIONS}")
    if OVERWRITE not in mount.volume.options:
        message = f"has no {OVERWRITE}, and {mount.template.owner.place} writes checkpoints to it: a save of a step "
        message += "that was saved before, after a restart, fails"
        yield _of_volume("W4113", mount, message, f"add {OVERWRITE} to {OPTIONS}")


def _deletes(value: str) -> bool:
    return value.lower() not in KEEPS_ALL and not value.startswith("--")


def _too_large(mount: WrittenMount, plan: ClusterPlan, catalog: Catalog) -> Iterator[Finding]:
    """Only with storage.checkpoints: a manifest does not show the size of a file."""
    found = checkpoint_storage(plan.storage, plan.region, catalog)
    largest = found.spec.bytes_per_rank if found is not None else None
    parts = catalog.limits["s3_multipart_parts"].require_maximum()
    default = catalog.limits["mountpoint_write_part_size"].require_minimum()
    part = whole_number(mount.volume.options.get(PART_SIZE)) or default
    if largest is None or largest <= part * parts:
        return
    needed = ceil(largest / parts / MIB) * MIB
    yield _of_volume(
        "W4115",
        mount,
        f"has parts of {part:,} bytes ({PART_SIZE}), for files up to {part * parts / GB:,.1f} GB; a rank of "
        f"storage.checkpoints writes about {largest / GB:,.1f} GB",
        f"add {PART_SIZE} {needed} to {OPTIONS}",
    )


def _of_container(finding_id: str, mount: WrittenMount, message: str, hint: str) -> Finding:
    place = f"{mount.template.owner.place} {mount.container.path}.volumeMounts"
    return Finding(finding_id, Location(mount.source, path=place), f"{mount.container.name} {message}", hint)


def _of_volume(finding_id: str, mount: WrittenMount, message: str, hint: str) -> Finding:
    place = f"{mount.volume.owner.place} {OPTIONS}"
    return Finding(finding_id, Location(mount.volume.source, path=place), message, hint)
