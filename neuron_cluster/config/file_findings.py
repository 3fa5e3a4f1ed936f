"""Findings about a file as a whole: it cannot be read, has another name than its environment, or too many errors."""

from __future__ import annotations

import errno
from pathlib import Path

from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.suggestions import did_you_mean, suggestions

OF_ANOTHER_NAME = "W0019"
MAX_ERRORS = 200
"""Errors of one file that are shown before the rest of it is not read; a generated file could have 200,000."""
OTHER_FILE = "name the environment's YAML file, or remove content of this one that does not belong to an environment"
"""The hint for what is too large to be an environment."""


def too_many(file: str) -> Finding:
    """The finding that replaces those beyond ``MAX_ERRORS``."""
    message = f"the file has more than {MAX_ERRORS} mistakes; the first {MAX_ERRORS} are shown"
    return Finding("E0008", Location(file), message, "correct these, then validate the file again")


def way_to_read(path: Path, file: str, error: OSError | ValueError) -> str:
    """``file`` is the name that findings give it."""
    match getattr(error, "errno", None):
        case errno.ENOENT:
            near = suggestions(path.name, [other.name for other in path.parent.glob("*.y*ml")])
            return f"{did_you_mean([str(Path(file).with_name(name)) for name in near])}name a file that exists"
        case errno.EACCES:
            import shlex

            return f"make it readable, `chmod u+r {shlex.quote(file)}`, and the folders that it is in"
        case errno.ETIMEDOUT:
            return "name a file, or a pipe that a program writes to"
        case _:
            return "name the environment's YAML file"


def file_name_findings(path: Path, config: EnvironmentConfig, source: SourceMap) -> list[Finding]:
    """W0019 for a file of a project whose name is not that of its environment: usually an edited copy.

    A file anywhere else, such as a draft or an earlier version, may have any name.
    """
    folder = path.absolute().parent
    is_of_project = folder.name == "environments" and (folder.parent / "cdk.json").is_file()
    if path.stem == config.name or not is_of_project:
        return []
    message = f'name is "{config.name}", but the file is {path.name}'
    if path.with_name(f"{config.name}{path.suffix}").exists():
        message += f": in the same account and Region, commands on {path.stem} change {config.name}"
    in_file = f" in {source.file}" if source.origin(("name",)).file != source.file else ""
    hint = f"write name: {path.stem}{in_file}, or rename the file to {config.name}{path.suffix}"
    return [Finding(OF_ANOTHER_NAME, source.locate(("name",)), message, hint)]
