"""Writing the lock of an environment again, or comparing it with the account."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.deploy.account_registries import registries_for
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.lock_resolver import LockResolver, ResolvedLockInputs
from neuron_cluster.deploy.preflight.checks import account_preflight
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.lock.diff import LockChange, drift, lock_changes
from neuron_cluster.lock.paths import local_locks, lock_command, lock_path, locks_beside
from neuron_cluster.lock.reader import LoadedLock, load_lock, require_readable
from neuron_cluster.lock.tree import LockPath
from neuron_cluster.lock.writer import lock_text, sources_in, write_lock
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.planning.build_lock_inputs import build_lock_inputs
from neuron_cluster.project import shown_path


class LockFile(Struct, frozen=True):
    """Where the lock of an environment is, and what it holds now."""

    path: Path
    command: str
    """The command that writes the lock again."""
    before: LoadedLock

    @property
    def display_name(self) -> str:
        return shown_path(self.path)


class LockUpdate(Struct, frozen=True):
    """How the account differs from the lock."""

    changes: tuple[LockChange, ...]
    warnings: tuple[Finding, ...]
    is_written: bool


def lock_file(opened: OpenedEnvironment, *, is_local: bool) -> LockFile:
    """Returns the lock file: for AWS next to the environment file; one for the local AWS is never read for AWS."""
    locks = local_locks(opened.project.root) if is_local else locks_beside(opened.file.path)
    path, command = lock_path(locks, opened.plan.name), lock_command(opened.file.display_name, locks)
    return LockFile(path, command, load_lock(path, display_name=shown_path(path), again=command))


def check_lock(resolved: ResolvedLockInputs, file: LockFile) -> LockUpdate:
    """Writes nothing; changes are those that a lock would make."""
    resolved = _with_parts(resolved, file)
    return LockUpdate(tuple(drift(file.before.lock, resolved.lock)), _warnings(resolved, file), is_written=False)


def update_lock(resolved: ResolvedLockInputs, file: LockFile) -> LockUpdate:
    """Writes the lock where it differs."""
    resolved = _with_parts(resolved, file)
    text = lock_text(resolved.lock, resolved.sources, file.command)
    require_readable(text, display_name=file.display_name)
    is_written = write_lock(file.path, text)
    return LockUpdate(tuple(lock_changes(file.before.lock, resolved.lock)), _warnings(resolved, file), is_written)


def resolve_lock(
    opened: OpenedEnvironment, destination: Destination, progress: Callable[[str], None], *, with_digests: bool
) -> ResolvedLockInputs:
    """Raises ``InvalidEnvironment`` for a placeholder account, and for credentials of another account."""
    progress(f"Querying {destination.description}.")
    if findings := account_preflight(
        opened.plan, destination, opened.catalog.placeholder_accounts.names, opened.locate
    ):
        raise InvalidEnvironment(findings)
    registries = registries_for(opened.plan.account, destination.target) if with_digests else None
    inputs = build_lock_inputs(opened.plan, opened.catalog, opened.lock)
    if registries is None and (inputs.charts or inputs.images):
        progress("Registries are not queried: digests of charts and images stay null.")
    return LockResolver(destination.target, registries, progress).resolve(inputs)


def _with_parts(resolved: ResolvedLockInputs, file: LockFile) -> ResolvedLockInputs:
    """Parts of providers stay, such as the AMI that `neuron-cluster image build` wrote: no call returns them."""
    earlier = file.before.lock
    if earlier is None or not earlier.parts:
        return resolved
    if (earlier.account, earlier.region) != (resolved.lock.account, resolved.lock.region):
        return resolved
    kept = {path: source for path, source in _sources(file.path).items() if path[0] in earlier.parts}
    lock = replace(resolved.lock, parts=earlier.parts)
    return ResolvedLockInputs(lock, {**resolved.sources, **kept}, resolved.unresolved)


def _sources(path: Path) -> dict[LockPath, str]:
    return sources_in(path.read_text(encoding="utf-8"))


def _warnings(resolved: ResolvedLockInputs, file: LockFile) -> tuple[Finding, ...]:
    """Digests that are not known, and what was wrong with the lock that is replaced."""
    place = Location(file.display_name)
    replaced = [f"the earlier lock could not be read and was replaced: {each.message}" for each in file.before.findings]
    hint = "run it again where the registry can be reached, or accept it: without a digest its tag is pulled"
    earlier = f"`git diff {shlex.quote(file.display_name)}` shows the changes where version control has the earlier one"
    return (
        *(
            Finding("W9108", place, each.message, f"{each.hint}; then run it again" if each.hint else hint)
            for each in resolved.unresolved
        ),
        *(Finding("W9109", place, message, earlier) for message in replaced),
    )
