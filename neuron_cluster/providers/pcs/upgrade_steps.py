"""Steps of an upgrade of the Neuron SDK, Deep Learning AMI or Slurm version of a Slurm cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.commands import Command
from neuron_cluster.protocol.upgrade_step import UpgradeStep
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.lock_part import built_image

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.catalog.slurm import SlurmVersion
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

REPLACED = "PCS then replaces each node when its jobs end, login nodes at once"


def upgrade_steps(
    environment: ResolvedEnvironment, after: NeuronSdk, catalog: Catalog, lock: Lock | None
) -> Iterator[UpgradeStep]:
    """The AMI where the release changes, and the Slurm version. None without the section."""
    slurm = environment.config.section(Slurm)
    if slurm is None:
        return
    if after.name != environment.config.neuron.sdk:
        yield from _image(slurm, after, catalog, lock)
    yield from _version(slurm, catalog)


def _image(slurm: Slurm, after: NeuronSdk, catalog: Catalog, lock: Lock | None) -> Iterator[UpgradeStep]:
    dlami = catalog.dlamis.get(slurm.dlami)
    if dlami is None:  # rule E2116
        return
    path = ("slurm", "dlami" if slurm.ami_id is None else "ami_id")
    current = _current(slurm, lock)
    commands = (Command.IMAGE_BUILD,) if slurm.ami_id is None else ()
    if dlami.successor is not None:
        what = f"{current}; {dlami.name} is retired with Neuron SDK {dlami.neuron_sdk}"
        then = f"write dlami: {dlami.successor}, then {_build(slurm, dlami.successor)}"
        yield UpgradeStep(path, what, then, commands)
    elif dlami.neuron_sdk == after.name:
        what = f"{current}; the newest {dlami.name} has Neuron SDK {after.name}"
        yield UpgradeStep(path, what, _build(slurm, dlami.name), commands)
    else:
        what = f"{current}; the newest {dlami.name} in the catalog has Neuron SDK {dlami.neuron_sdk}, not {after.name}"
        then = "check `neuron-cluster catalog dlamis` once another image is published; until then the AMI is kept"
        yield UpgradeStep(path, what, then)


def _current(slurm: Slurm, lock: Lock | None) -> str:
    if slurm.ami_id is not None:
        return f"{slurm.ami_id} of the file has the Neuron driver that it was built with"
    built = built_image(lock)
    if built is None:
        return "the lock has no AMI of the Slurm nodes"
    return f"{built.image_id} of the lock was built from {built.parent}, with its Neuron driver"


def _build(slurm: Slurm, kind: str) -> str:
    if slurm.ami_id is not None:
        return f"build your AMI from the newest {kind}, and write its id as ami_id; {REPLACED}"
    return f"run `{Command.LOCK}`, which pins the newest {kind}, then `{Command.IMAGE_BUILD}`, and deploy; {REPLACED}"


def _version(slurm: Slurm, catalog: Catalog) -> Iterator[UpgradeStep]:
    versions = catalog.slurm_versions.rows
    current = catalog.slurm_versions.get(slurm.version)
    if current is None:  # rule E2101
        return
    newer = versions[[each.name for each in versions].index(current.name) + 1 :]
    path, what = ("slurm", "version"), f"Slurm stays {_supported(current)}"
    if not newer:
        yield UpgradeStep(path, what, "the catalog has no newer version of PCS")
        return
    most = catalog.limits["pcs_versions_per_update"].require_maximum()
    offered = ", ".join(map(_supported, newer))
    yield UpgradeStep(
        path,
        f"{what}; PCS offers {offered}",
        f"an update goes up only, by {most} versions at most, and its AMI has the same version: "
        f"{_with_version(slurm, newer, catalog)}; {REPLACED}",
    )


def _supported(row: SlurmVersion) -> str:
    mark = f"; in doubt: {doubt}" if (doubt := row.doubt_about("support_ends")) is not None else ""
    return f"{row.name} (supported until {row.support_ends}{mark})"


def _with_version(slurm: Slurm, newer: tuple[SlurmVersion, ...], catalog: Catalog) -> str:
    """Returns the step with which the AMI gets a newer version."""
    if slurm.ami_id is not None:
        return "write version and the ami_id of such an AMI in one edit"
    without = [each.name for each in newer if catalog.slurm_software.installer(each.name) is None]
    if len(without) == len(newer):
        return f"`image build` cannot install {', '.join(without)}, so write it with the ami_id of an AMI of your own"
    lacking = f"; it cannot install {', '.join(without)}" if without else ""
    return f"write version, then run `{Command.IMAGE_BUILD}` before the deploy{lacking}"
