"""Opening the environment that a verb works on."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.project import EnvironmentFile, Project

if TYPE_CHECKING:
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.findings import Finding, Location
    from neuron_cluster.plan.cluster_plan import ClusterPlan


@dataclass(frozen=True, slots=True)
class OpenedEnvironment:
    """An environment without errors, and the project it is built with."""

    project: Project
    file: EnvironmentFile
    plan: ClusterPlan
    findings: tuple[Finding, ...]
    """Warnings."""

    @property
    def assembly(self) -> Path:
        """Where its cloud assembly goes when nothing else is said."""
        return self.project.root / "cdk.out" / self.plan.name

    @property
    def name_for_app(self) -> str:
        """What ``app.py`` gets as ``environment``: the name of a file of the project, else an absolute path."""
        path = self.file.path.absolute()
        return path.stem if path.parent == self.project.environments else str(path)

    def locate(self, path: KeyPath) -> Location:
        """Where a key stands in the file."""
        from neuron_cluster.config.loader import load_environment

        return load_environment(self.file.path, shown_as=self.file.shown_as).source.locate(path)


def open_environment(options: argparse.Namespace) -> OpenedEnvironment:
    """Raises ``InvalidEnvironment`` for a file with an error, an unknown name, or no project."""
    from neuron_cluster.line import check_environment
    from neuron_cluster.project import environment_file, require_project

    file = environment_file(options.environment, options.project)
    project = require_project(options.project)
    checked = check_environment(file.path, shown_as=file.shown_as)
    return OpenedEnvironment(project, file, checked.require_plan(), checked.findings)
