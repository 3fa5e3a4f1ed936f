"""From an environment file to its findings and its plan: read, resolve, rules, plan, rules over the plan."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.config.bases import NO_EDITS, file_version
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.file_findings import file_name_findings
from neuron_cluster.config.loader import LoadedEnvironment, load_environment
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.commands import render
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import commands_of, lock_command, lock_path, locks_beside
from neuron_cluster.lock.reader import LoadedLock, load_lock
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.planning.build import build_plan
from neuron_cluster.project import shown_path
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.resolved.provenance import Provenances
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.run import stage_1, stage_2


class Checked(Struct, frozen=True):
    """An environment file after every check. ``plan`` is there if and only if no finding is an error."""

    findings: tuple[Finding, ...]
    plan: ClusterPlan | None
    loaded: LoadedEnvironment
    """The files as they were read, and the place of each value."""
    locks: Path
    """The folder that its lock is read from, if it has one there."""
    catalog: Catalog
    config: EnvironmentConfig | None = None
    """The content of the file; None where a key of it is missing or has a value of the wrong kind."""
    resolved: ResolvedEnvironment | None = None
    """With every default decided; None where ``config`` is."""
    lock: Lock | None = None
    """None where there is none, or none that can be used."""
    lock_version: tuple[int, int] | None = None
    """Inode and time of the last change of the lock, before it was read; None where there is no file."""
    draft: ClusterPlan | None = None
    """The plan even where stage 2 found an error in it: to be looked at, never to be built."""

    def require_resolved(self) -> ResolvedEnvironment:
        """The file with its defaults. Raises ``InvalidEnvironment`` with the findings when it is not clear."""
        if self.resolved is None:
            raise InvalidEnvironment(self.findings)
        return self.resolved

    def require_draft(self) -> ClusterPlan:
        """The draft. Raises ``InvalidEnvironment`` with the findings when there is none."""
        if self.draft is None:
            raise InvalidEnvironment(self.findings)
        return self.draft

    def require_plan(self) -> ClusterPlan:
        """The plan. Raises ``InvalidEnvironment`` with the findings when there is none."""
        if self.plan is None:
            raise InvalidEnvironment(self.findings)
        return self.plan


def check_environment(
    path: Path,
    *,
    display_name: str | None = None,
    catalog: Catalog | None = None,
    as_of: date | None = None,
    locks: Path | None = None,
    with_lock: bool = True,
    edited: Mapping[Path, bytes] = NO_EDITS,
    stack_key: str = "",
) -> Checked:
    """Reads, checks and plans one environment file with its lock, if it has one. Raises nothing for a bad file.

    ``locks`` is the folder of the locks (default: ``locks`` in its folder). ``edited`` has the content of files, by
    resolved path, that is checked instead of theirs. For the other arguments see ``check_loaded``.
    """
    catalog = catalog or load_catalog()
    loaded = load_environment(path, display_name=display_name, zones_of=catalog.regions.zone_ids, edited=edited)
    return check_loaded(
        loaded, catalog, as_of=as_of, locks=locks or locks_beside(path), with_lock=with_lock, stack_key=stack_key
    )


def check_loaded(
    loaded: LoadedEnvironment,
    catalog: Catalog,
    *,
    locks: Path,
    as_of: date | None = None,
    with_lock: bool = True,
    stack_key: str = "",
) -> Checked:
    """The findings and the plan of what was read from an environment file. Raises nothing for a bad file.

    ``as_of`` is the day on which support dates are looked at; None (synthesis) looks at none. ``locks`` is the folder
    of the locks; without ``with_lock`` none is read, to make a new one. ``stack_key`` is that of a stack that a command
    of its own deploys: the plan is for it.
    """
    findings = list(loaded.findings)
    if loaded.config is None:
        return Checked(tuple(in_reading_order(findings)), None, loaded, locks, catalog)
    if ("name",) not in loaded.repairs.repaired:
        findings += file_name_findings(loaded.files[0].path, loaded.config, loaded.source)
    version = file_version(lock_path(locks, loaded.config.name))
    locked = _load_lock(loaded, locks) if with_lock else LoadedLock(None)
    findings += locked.findings
    pins = locked.lock if locked.lock is not None and locked.lock.pins_software else None
    is_lock_clear = with_lock and not locked.findings
    provenances = Provenances(loaded.source.places, loaded.repairs)
    resolved = resolve_environment(loaded.config, catalog, provenances)
    findings += stage_1(
        resolved, catalog, loaded.source, lock=pins, is_lock_clear=is_lock_clear, as_of=as_of, stack_key=stack_key
    )
    is_repaired = has_error(loaded.findings)
    config, clear = (None, None) if is_repaired else (loaded.config, resolved)
    draft = None
    if not has_error(findings):
        draft = replace(build_plan(resolved, catalog, locked.lock), stack_key=stack_key)
        findings += stage_2(resolved, draft, catalog, loaded.source)
    plan = None if has_error(findings) else draft
    shown = tuple(in_reading_order(_by_locks(findings, loaded.source.file, locks)))
    return Checked(shown, plan, loaded, locks, catalog, config, clear, locked.lock, version, draft)


def _by_locks(findings: list[Finding], file: str, locks: Path) -> list[Finding]:
    """The findings, with commands for the AWS of this folder: those of the local AWS with `--local`."""
    own = commands_of(file, locks)
    commands = {f"`{general}`": f"`{own[command]}`" for command, general in commands_of(file).items()}
    return [replace(each, hint=render(each.hint, commands)) for each in findings]


def _load_lock(loaded: LoadedEnvironment, locks: Path) -> LoadedLock:
    """The lock of the environment, if it is one for its account and Region. Nothing is compared with repaired keys."""
    config = loaded.config
    unsure = {path[0] for path in loaded.repairs.repaired if len(path) == 1}
    if config is None or "name" in unsure:
        return LoadedLock(None)
    path = lock_path(locks, config.name)
    again = lock_command(loaded.source.file, locks)
    wanted = {"environment": config.name, "account": config.account, "region": config.region}
    return load_lock(
        path,
        display_name=shown_path(path),
        again=again,
        wanted={key: value for key, value in wanted.items() if key not in unsure},
    )
