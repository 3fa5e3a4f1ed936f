"""Where the project is, and which file the name of an environment means."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.project_folder import is_project, project_folder

SUFFIX = ".yaml"
STANDARD_INPUT, STREAM_OF_INPUT = "-", "/dev/stdin"
"""As other programs name it, and a path of it."""


class EnvironmentFile(Struct, frozen=True):
    """One environment file, and the name that findings give it."""

    path: Path
    display_name: str


class Project(Struct, frozen=True):
    """A user's repository, or a checkout of the toolkit: ``cdk.json`` next to ``environments/``."""

    root: Path

    @property
    def environments(self) -> Path:
        return self.root / "environments"

    def environment_names(self) -> list[str]:
        """The names that ``NAME`` can be, sorted."""
        return sorted(path.stem for path in self.environments.glob(f"*{SUFFIX}") if path.is_file())

    def environment_files(self) -> list[EnvironmentFile]:
        """Every environment file, sorted by name."""
        return [self.environment_file(name) for name in self.environment_names()]

    def require_environment_files(self) -> list[EnvironmentFile]:
        """As ``environment_files``; raises ``InvalidEnvironment`` with finding E0015 when there is none."""
        files = self.environment_files()
        if not files:
            place = Location(shown_path(self.environments))
            raise InvalidEnvironment([_no_environment(place, "there is no environment to check", [])])
        return files

    def environment_file(self, name: str) -> EnvironmentFile:
        """The file of an environment that ``environment_names`` lists."""
        path = self.environments / f"{name}{SUFFIX}"
        return EnvironmentFile(path, shown_path(path))


def find_project(given: str | None = None, start: Path | None = None) -> Project | None:
    """The project in ``given``, else the nearest one from ``start`` (the working directory) upward, else none."""
    if given is not None:
        root = Path(given).absolute()
        return Project(root) if is_project(root) else None
    found = project_folder(start or Path.cwd())
    return Project(found) if found is not None else None


def require_project(given: str | None = None) -> Project:
    """As ``find_project``; raises ``InvalidEnvironment`` with finding E0016 when there is none."""
    project = find_project(given)
    if project is None:
        where = given if given is not None else str(Path.cwd())
        message = "no project here: cdk.json beside environments/ is in no folder from here upward"
        if given is not None:
            message = "no project here: a project has cdk.json beside environments/"
        hint = (
            "run this inside a repository that `neuron-cluster init DIR` has created or a checkout of the toolkit, or "
            "name one with --project DIR"
        )
        raise InvalidEnvironment([Finding("E0016", Location(where), message, hint)])
    return project


def environment_file(name: str, project: str | None = None) -> EnvironmentFile:
    """The file that ``name`` means: an environment of the project, or a path.

    A name with a path separator or ending in ``.yaml`` or ``.yml`` is a path, and so is one that exists in the working
    directory and is not an environment. Raises ``InvalidEnvironment`` with finding E0015 for a name that means nothing.
    """
    if os.sep in name or name.endswith((".yaml", ".yml")):
        return EnvironmentFile(Path(name), name)
    found = find_project(project)
    if found is not None and name in found.environment_names():
        return found.environment_file(name)
    if name and _exists(Path(name)):
        return EnvironmentFile(Path(name), name)
    known = require_project(project).environment_names()
    raise InvalidEnvironment([_unknown(name, known)])


def require_same_name(given: str, file: EnvironmentFile, environment: str) -> None:
    """Raises ``InvalidEnvironment`` with E9014 for a file given by its name whose environment has another one.

    Plain CDK cannot know what is deployed; an environment that was renamed would be built a second time.
    """
    if given != file.path.stem or given == environment:
        return
    message = (
        f"the environment in {file.display_name} is called {environment}: if {given} is deployed, this would build a "
        f"second environment and leave {given} deployed and billed, described by no file"
    )
    hint = (
        f"write name: {given}, or rename the file to {environment}{SUFFIX}\n"
        f"to take the file as it is, give its path: -c environment={file.path}"
    )
    raise InvalidEnvironment([Finding("E9014", Location(file.display_name, path="name"), message, hint)])


def _unknown(name: str, known: list[str]) -> Finding:
    if name == STANDARD_INPUT:
        hint = f"for standard input write {STREAM_OF_INPUT}"
        return Finding("E0015", Location(name), f'there is no environment "{name}"', hint)
    message = f'there is no environment "{name}"' if name else "the environment's name is empty"
    return _no_environment(Location(name), message, known, suggestions(name, known))


def _no_environment(place: Location, message: str, known: Sequence[str], near: Sequence[str] = ()) -> Finding:
    listed = (
        f"known names: {', '.join(known)}" if known else "environments/ holds no *.yaml file yet: put NAME.yaml into it"
    )
    return Finding("E0015", place, message, f"{did_you_mean(near)}{listed}; or give the path of a file")


def shown_path(path: Path) -> str:
    """The path as a reader in the working directory would write it; absolute when it is elsewhere."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _exists(path: Path) -> bool:
    """Also for a path that no file system takes, such as one with a name of 300 characters."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises for those
