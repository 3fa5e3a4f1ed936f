"""The files of a new repository."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from neuron_cluster.starter.new_environment import NewEnvironment
from neuron_cluster.starter.template import SCHEMA_FILES
from neuron_cluster.toolkit_files import CDK_SETTINGS

FILES = Path(__file__).parent / "files"
MARK = "@@{}@@"
"""In the text of a file, around the name of a value."""
APP = "neuron-cluster-app"
FLAGS_OF_CDK = ("versionReporting", "pathMetadata", "assetMetadata")
"""Settings of the CDK command, the same as in a checkout: templates then have the same content."""


def repository_files(first: NewEnvironment, environment: Mapping[str, str], version: str) -> dict[str, str]:
    """Path and text of each file; ``environment`` is as ``Written.files``, ``version`` the toolkit's."""
    values = {"NAME": first.name, "ACCOUNT": first.account, "REGION": first.region, "VERSION": version}
    return {
        **{f"environments/{path}": text for path, text in environment.items()},
        **{f"environments/{file.name}": file.read_text(encoding="utf-8") for file in SCHEMA_FILES},
        "cdk.json": _cdk_settings(),
        **{str(path.relative_to(FILES)): _filled(path, values) for path in _files()},
    }


def _files() -> Iterator[Path]:
    return (path for path in sorted(FILES.rglob("*")) if path.is_file())


def _filled(path: Path, values: dict[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(MARK.format(name), value)
    return text


def _cdk_settings() -> str:
    """Without feature flags, which the app takes from the installed release."""
    ours = json.loads(CDK_SETTINGS.read_text(encoding="utf-8"))
    return json.dumps({"app": APP, **{key: ours[key] for key in FLAGS_OF_CDK}}, indent=2) + "\n"
