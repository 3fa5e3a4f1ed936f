"""An environment file without errors, its plan, and the project that it is built with."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.project import EnvironmentFile, Project

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.findings.finding import Finding, Location
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.pipeline import Checked
    from neuron_cluster.plan.cluster_plan import ClusterPlan

Versions = dict[Path, tuple[int, int]]
"""Of files, by path: inode and time of the last change."""


class OpenedEnvironment(Struct, frozen=True):
    """An environment without errors, and the project it is built with."""

    project: Project
    file: EnvironmentFile
    plan: ClusterPlan
    findings: tuple[Finding, ...]
    """Warnings."""
    locks: Path
    """The folder that its lock is read from, if it has one there."""
    lock: Lock | None = None
    """What was read there."""
    written: Versions = {}
    """When the file, its bases and the locks beside it were last written, before they were read."""
    as_of: date | None = None
    """The day on which blocks must not be over; None looks at no day."""
    bases: tuple[Path, ...] = ()
    """The files that the file extends."""
    is_local: bool = False
    """Whether it was opened for the local AWS, which may read a lock for AWS where it has none of its own."""

    def reopened(self, locks: Path) -> OpenedEnvironment:
        """The same file with the lock in this folder. Raises ``InvalidEnvironment`` as ``opened_environment``."""
        from neuron_cluster.pipeline import check_environment

        written = _versions([self.file.path], locks)
        checked = check_environment(self.file.path, display_name=self.file.display_name, locks=locks, as_of=self.as_of)
        return replace(_opened(self.project, self.file, checked, locks, written, self.as_of), is_local=self.is_local)

    def require_unedited(self) -> None:
        """Raises ``ToolkitError`` when the file or its lock was written since it was opened."""
        from neuron_cluster.errors import ToolkitError
        from neuron_cluster.lock.paths import lock_path

        files = (self.file.path, *self.bases)
        now = _versions(files, self.locks)
        ours = (*files, lock_path(self.locks, self.plan.name))
        if any(now.get(path) != self.written.get(path) for path in ours):
            others = "its lock or a base of it" if self.bases else "its lock"
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
        """What ``app.py`` gets as ``environment``: the name of a file of the project, else an absolute path.

        A path also for a file whose environment has another name, which ``app.py`` takes by its path alone.
        """
        path = self.file.path.absolute()
        is_named = path.parent == self.project.environments and path.stem == self.plan.name
        return path.stem if is_named else str(path)

    @property
    def for_app(self) -> tuple[str, Path]:
        """What ``app.py`` gets: the environment, and the folder of its lock."""
        return self.name_for_app, self.locks

    def locate(self, path: KeyPath) -> Location:
        """The location of a key in the file."""
        from neuron_cluster.config.loader import load_environment

        return load_environment(self.file.path, display_name=self.file.display_name).source.locate(path)


def opened_environment(
    name: str,
    folder: str | None,
    *,
    is_local: bool,
    with_lock: bool = True,
    as_of: date | None = None,
    part: str = "",
) -> OpenedEnvironment:
    """Opens it for AWS or for the local AWS; without ``with_lock`` its lock is not read.

    ``name`` is a name of ``environments/`` or a path, ``folder`` that of the project; None looks for it upwards.

    ``as_of`` is the day on which blocks must not be over; None looks at no day. ``part`` is that of a stack that a
    command of its own deploys.

    Raises ``InvalidEnvironment`` for a file with an error, an unknown name, or no project.
    """
    from neuron_cluster.pipeline import check_environment
    from neuron_cluster.project import environment_file, require_project

    file = environment_file(name, folder)
    project = require_project(folder)
    locks = locks_for(file, project, is_local=is_local)
    written = _versions([file.path], locks)
    checked = check_environment(
        file.path, display_name=file.display_name, locks=locks, with_lock=with_lock, as_of=as_of, part=part
    )
    return replace(_opened(project, file, checked, locks, written, as_of), is_local=is_local)


def project_findings(project: Project) -> list[Finding]:
    """Of the release of the toolkit that the project requires; synthesis does not read it."""
    from neuron_cluster.pinned_toolkit.pin_findings import pin_findings
    from neuron_cluster.pinned_toolkit.requirements_file import FILE
    from neuron_cluster.project import shown_path

    return pin_findings(project.root, shown_path(project.root / FILE))


def accepted_plan(checked: Checked, of_project: Sequence[Finding]) -> ClusterPlan:
    """The plan. Raises ``InvalidEnvironment`` with all findings when one of the file or of the project is an error."""
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.finding import has_error

    if checked.plan is None or has_error(of_project):
        raise InvalidEnvironment([*checked.findings, *of_project])
    return checked.plan


def _opened(
    project: Project, file: EnvironmentFile, checked: Checked, locks: Path, written: Versions, as_of: date | None
) -> OpenedEnvironment:
    of_project = project_findings(project)
    plan, bases = accepted_plan(checked, of_project), checked.loaded.bases
    written = written | {base.path: base.version for base in bases if base.version is not None}
    paths = tuple(base.path for base in bases)
    findings = (*checked.findings, *of_project)
    return OpenedEnvironment(project, file, plan, findings, locks, checked.lock, written, as_of, paths)


def _versions(files: Iterable[Path], locks: Path) -> Versions:
    """Of those that exist: inode and time of the last change, which no later edit can set back."""
    found: Versions = {}
    with contextlib.suppress(OSError, ValueError):  # a name that no file system takes
        for path in (*files, *locks.glob("*.yaml")):
            status = path.stat()
            found[path] = (status.st_ino, status.st_ctime_ns)
    return found


def locks_for(file: EnvironmentFile, project: Project, *, is_local: bool) -> Path:
    """The folder of its lock: beside the file; for the local AWS the first one that holds it.

    Those are the lock that was made against the local AWS, the one beside the file, and that of the project, which a
    copy of the file elsewhere is tried out with. Where none holds it, the folder that `lock --local` writes to.
    """
    from neuron_cluster.config.loader import load_environment
    from neuron_cluster.lock.paths import local_locks, lock_path, locks_beside

    beside = locks_beside(file.path)
    config = load_environment(file.path).config if is_local else None
    if config is None:
        return beside
    known = (local_locks(project.root), beside, project.environments / beside.name)
    return next((locks for locks in known if lock_path(locks, config.name).is_file()), known[0])
