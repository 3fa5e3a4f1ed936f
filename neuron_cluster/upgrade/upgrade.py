"""The upgrade of one environment from its Neuron SDK release to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.compatibility.neuron_software import neuron_hosts
from neuron_cluster.findings.commands import Command, render
from neuron_cluster.upgrade.breaking_changes import BreakingChange, breaking_changes, is_downgrade
from neuron_cluster.upgrade.component_moves import ComponentMove, component_moves
from neuron_cluster.upgrade.file_edit import FileEdit
from neuron_cluster.upgrade.moves_in_file import moves_in_file
from neuron_cluster.upgrade.rollout import Rollout, rollout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.neuron_host import NeuronHost
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class HostMove(Struct, frozen=True):
    """A node group or workstation with Neuron devices: what happens to its instances, and in which order."""

    path: KeyPath
    name: str
    image_before: str
    image_after: str
    what: str
    rollout: Rollout


class Upgrade(Struct, frozen=True):
    """The result of an upgrade. ``edits`` is empty when the file already has the release."""

    environment: str
    before: str
    after: str
    components: tuple[ComponentMove, ...]
    breaks: tuple[BreakingChange, ...]
    hosts: tuple[HostMove, ...]
    edits: tuple[FileEdit, ...]
    direction: Literal["upgrade", "downgrade", "same"] = "upgrade"
    empty_cache: str | None = None
    """Folder of the compile cache for the new neuronx-cc, where the release has another one: nothing has warmed it."""

    @property
    def is_different(self) -> bool:
        """Whether the file changes: values of another release may move to the release that the file has."""
        return self.direction != "same" or bool(self.edits)

    def with_commands(self, commands: Mapping[Command, str]) -> Upgrade:
        """The same with commands that can be run as they are."""
        breaks = tuple(replace(each, then=render(each.then, commands)) for each in self.breaks)
        hosts = tuple(replace(each, what=render(each.what, commands)) for each in self.hosts)
        return replace(self, breaks=breaks, hosts=hosts)


def plan_upgrade(
    environment: ResolvedEnvironment, before: NeuronSdk, after: NeuronSdk, catalog: Catalog, lock: Lock | None
) -> Upgrade:
    """Compares the two releases for this environment. Makes no AWS API call."""
    moves = moves_in_file(environment, after, catalog)
    return Upgrade(
        environment=environment.config.name,
        before=before.name,
        after=after.name,
        components=component_moves(before, after),
        breaks=(*breaking_changes(environment, before, after, catalog), *moves.left),
        hosts=tuple(
            _host_move(host, before, after, moves.edits, catalog) for host in neuron_hosts(environment, catalog, lock)
        ),
        edits=moves.edits,
        direction="same" if before == after else "downgrade" if is_downgrade(before, after) else "upgrade",
        empty_cache=_empty_cache(environment, before, after),
    )


def _empty_cache(environment: ResolvedEnvironment, before: NeuronSdk, after: NeuronSdk) -> str | None:
    """None where the file has no cache, the compiler stays, or the catalog does not know it (W4031)."""
    storage = environment.config.storage
    if storage is None or storage.compile_cache is None or after.compiler in (None, before.compiler):
        return None
    return f"neuronx-cc-{after.compiler}"


def _host_move(
    host: NeuronHost, before: NeuronSdk, after: NeuronSdk, edits: tuple[FileEdit, ...], catalog: Catalog
) -> HostMove:
    edit = next((edit for edit in edits if edit.path == host.path), None)
    image = edit.after if edit is not None else host.image
    driver = _driver(edit, host, catalog) if edit is not None else host.driver
    return HostMove(
        path=host.machine_path,
        name=host.name,
        image_before=host.image,
        image_after=image,
        what=_what_happens(host, edit),
        rollout=rollout(before, after, host.driver, driver, catalog),
    )


def _driver(edit: FileEdit, host: NeuronHost, catalog: Catalog) -> str | None:
    """The driver of the image after the edit."""
    if host.is_workstation:
        dlami = catalog.dlamis.get(edit.after)
        sdk = catalog.neuron_sdks.get(dlami.neuron_sdk) if dlami is not None else None
        return sdk.driver if sdk is not None else None
    release = catalog.ami_releases.get(edit.after)
    return release.driver if release is not None else None


def _what_happens(host: NeuronHost, edit: FileEdit | None) -> str:
    if host.is_workstation:
        if edit is None:
            return "stays"
        if host.has_home:
            return "the instance is replaced; its home volume is kept, all other data is lost"
        return "the instance is replaced with all its data: it has no home volume"
    if edit is not None:
        return "rolling update: EKS replaces the nodes one after the other"
    if host.is_newest:
        return "not changed until it is updated; its AMI is not pinned, so new nodes may have another driver"
    of_lock = f"not changed; `{Command.LOCK}` updates its AMI"
    return host.without_edit or (of_lock if "lock" in host.image else "stays")
