"""An environment file after its checks, and the project that it is built with: the one way to open it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.config.bases import NO_EDITS, file_version
from neuron_cluster.project import EnvironmentFile, Project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.findings.finding import Finding, Location
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.pipeline import Checked
    from neuron_cluster.plan.cluster_plan import ClusterPlan

UNREADABLE = "see `neuron-cluster validate`; commands with --account and --region read no file for them"


class OpenedEnvironment(Struct, frozen=True):
    """An environment without errors, and the project it is built with."""

    project: Project
    file: EnvironmentFile
    checked: Checked
    plan: ClusterPlan
    findings: tuple[Finding, ...]
    """Warnings about the file and about the project."""
    is_local: bool
    """Whether it was opened for the local AWS, which may read a lock for AWS where it has none of its own."""
    as_of: date | None = None
    """The day on which blocks must not be over; None looks at no day."""

    @property
    def locks(self) -> Path:
        """The folder that its lock is read from, if it has one there."""
        return self.checked.locks

    @property
    def lock(self) -> Lock | None:
        """The lock that was read there."""
        return self.checked.lock

    @property
    def catalog(self) -> Catalog:
        """The catalog that it was checked with."""
        return self.checked.catalog

    def reopened(self, locks: Path) -> OpenedEnvironment:
        """The same file with the lock in this folder. Raises ``InvalidEnvironment`` as ``opened_environment``."""
        checked = checked_file(self.file, locks=locks, as_of=self.as_of)
        return _opened(self.project, self.file, checked, is_local=self.is_local, as_of=self.as_of)

    def require_unedited(self) -> None:
        """Raises ``ToolkitError`` when the file, a base or the lock was written since it was opened."""
        from neuron_cluster.errors import ToolkitError
        from neuron_cluster.lock.paths import lock_path

        loaded = self.checked.loaded
        read = {file.path: file.version for file in loaded.files}
        read[lock_path(self.locks, self.plan.name)] = self.checked.lock_version
        if any(file_version(path) != version for path, version in read.items()):
            others = "its lock or a base of it" if loaded.bases else "its lock"
            message = f"{self.file.display_name} or {others} was written while the templates were made"
            raise ToolkitError(f"{message}; nothing was changed", hint="run the command again, which reads them anew")

    def require_images(self) -> None:
        """Raises ``InvalidEnvironment`` where nodes have no AMI: the app would write no template."""
        from neuron_cluster.findings.commands import of_file
        from neuron_cluster.lock.paths import as_argument
        from neuron_cluster.plan.missing_image import require_images

        name = self.file.display_name
        require_images(self.plan, name, of_file(as_argument(name), is_local=self.is_local))

    @property
    def assembly(self) -> Path:
        """Where its cloud assembly is written by default."""
        return self.project.root / "cdk.out" / self.plan.name

    @property
    def name_for_app(self) -> str:
        """The value of ``environment`` for ``app.py``: the name of a file of the project, else an absolute path.

        A path also for a file whose environment has another name, which ``app.py`` takes by its path alone.
        """
        path = self.file.path.absolute()
        is_named = path.parent == self.project.environments and path.stem == self.plan.name
        return path.stem if is_named else str(path)

    @property
    def for_app(self) -> tuple[str, Path]:
        """The input of ``app.py``: the environment, and the folder of its lock."""
        return self.name_for_app, self.locks

    def locate(self, path: KeyPath) -> Location:
        """The location of a key in the text that was read."""
        return self.checked.loaded.source.locate(path)


def opened_environment(
    name: str,
    folder: str | None,
    *,
    is_local: bool,
    with_lock: bool = True,
    as_of: date | None = None,
    stack_key: str = "",
) -> OpenedEnvironment:
    """Opens it for AWS or for the local AWS; without ``with_lock`` its lock is not read.

    ``name`` is a name of ``environments/`` or a path, ``folder`` that of the project; None looks for it upwards.

    ``as_of`` is the day on which blocks must not be over; None looks at no day. ``stack_key`` is that of a stack that a
    command of its own deploys.

    Raises ``InvalidEnvironment`` for a file with an error, an unknown name, or no project.
    """
    from neuron_cluster.project import environment_file, require_project

    file = environment_file(name, folder)
    project = require_project(folder)
    local = project if is_local else None
    checked = checked_file(file, local, with_lock=with_lock, as_of=as_of, stack_key=stack_key)
    return _opened(project, file, checked, is_local=is_local, as_of=as_of)


def checked_file(
    file: EnvironmentFile,
    local: Project | None = None,
    *,
    locks: Path | None = None,
    with_lock: bool = True,
    as_of: date | None = None,
    edited: Mapping[Path, bytes] = NO_EDITS,
    stack_key: str = "",
) -> Checked:
    """Checks an environment file, which is read once. It may have errors, and be in no project.

    ``local`` is the project whose local AWS it is for; None: it is for AWS. ``locks`` is the folder of its lock where
    that is not the one of ``locks_for``; ``edited`` has the content of files, by resolved path, that is checked instead
    of theirs. For the other arguments see ``opened_environment``.
    """
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.config.loader import load_environment
    from neuron_cluster.pipeline import check_loaded

    catalog = load_catalog()
    loaded = load_environment(
        file.path, display_name=file.display_name, zones_of=catalog.regions.zone_ids, edited=edited
    )
    if locks is None:
        name = loaded.config.name if loaded.config is not None else None
        locks = locks_for(file.path, name, local)
    return check_loaded(loaded, catalog, locks=locks, with_lock=with_lock, as_of=as_of, stack_key=stack_key)


def default_target(project: Project) -> tuple[str, str]:
    """Account and Region of the first environment that can be read. Raises ``ToolkitError`` without any."""
    from neuron_cluster.config.loader import load_environment
    from neuron_cluster.errors import ToolkitError

    for file in project.environment_files():
        loaded = load_environment(file.path)
        if loaded.config is not None and not loaded.findings:
            return loaded.config.account, loaded.config.region
    raise ToolkitError(f"no environment in {project.environments} can be read", hint=UNREADABLE)


def project_findings(project: Project | None) -> list[Finding]:
    """Findings about the release of the toolkit that the project requires; synthesis does not read it."""
    from neuron_cluster.catalog.catalog import load_catalog

    if project is None:
        return []
    from neuron_cluster.pinned_toolkit.pin_findings import pin_findings
    from neuron_cluster.pinned_toolkit.requirements_file import FILE
    from neuron_cluster.project import shown_path

    return pin_findings(project.root, load_catalog(), shown_path(project.root / FILE))


def accepted_plan(checked: Checked, of_project: Sequence[Finding]) -> ClusterPlan:
    """The plan. Raises ``InvalidEnvironment`` with all findings when one of the file or of the project is an error."""
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.finding import has_error

    if checked.plan is None or has_error(of_project):
        raise InvalidEnvironment([*checked.findings, *of_project])
    return checked.plan


def _opened(
    project: Project, file: EnvironmentFile, checked: Checked, *, is_local: bool, as_of: date | None
) -> OpenedEnvironment:
    of_project = project_findings(project)
    plan = accepted_plan(checked, of_project)
    return OpenedEnvironment(project, file, checked, plan, (*checked.findings, *of_project), is_local, as_of)


def locks_for(file: Path, environment: str | None, local: Project | None) -> Path:
    """The folder of the lock of an environment file: next to it; for the local AWS the first that holds it.

    Those are the lock that was made against the local AWS, the one next to the file, and that of the project, which a
    copy of the file elsewhere is tried out with. Where none holds it, the folder that `lock --local` writes to.
    ``environment`` is the name in the file; None where it cannot be read.
    """
    from neuron_cluster.lock.paths import local_locks, lock_path, locks_beside

    beside = locks_beside(file)
    if local is None or environment is None:
        return beside
    known = (local_locks(local.root), beside, local.environments / beside.name)
    return next((locks for locks in known if lock_path(locks, environment).is_file()), known[0])
