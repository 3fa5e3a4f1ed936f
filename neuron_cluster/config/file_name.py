"""An environment in ``environments/`` goes by two names: its file's on the command line, its own in AWS."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.config.environment import EnvironmentConfig
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.findings.finding import Finding

OF_ANOTHER_NAME = "W0019"


def file_name_findings(path: Path, config: EnvironmentConfig, source: SourceMap) -> list[Finding]:
    """W0019 for a file of a project whose name is not that of its environment: mostly a copy, edited elsewhere.

    A file anywhere else, such as a draft or an earlier version, may be called as one likes.
    """
    folder = path.absolute().parent
    is_of_project = folder.name == "environments" and (folder.parent / "cdk.json").is_file()
    if path.stem == config.name or not is_of_project:
        return []
    message = f'the environment is called "{config.name}" and the file {path.name}'
    if path.with_name(f"{config.name}{path.suffix}").exists():
        message += f": in the same account and Region, commands on {path.stem} change {config.name}"
    hint = f"write name: {path.stem}, or rename the file to {config.name}{path.suffix}"
    return [Finding(OF_ANOTHER_NAME, source.locate(("name",)), message, hint)]
