"""Components of Image Builder: the documents with the scripts that install the software of a Slurm AMI.

Source: https://docs.aws.amazon.com/imagebuilder/latest/userguide/toe-use-documents.html
"""

from __future__ import annotations

import functools
import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.slurm_software import AGENT, ENROOT, INSTALLER, PYXIS, SlurmSoftware, slurm_software
from neuron_cluster.providers.pcs.image.image_plan import SlurmImagePlan
from neuron_cluster.schedulers.slurm.node_files import programs, slurm_scripts, writing_commands
from neuron_cluster.schedulers.slurm.script_settings import FOLDER

SCRIPTS = Path(__file__).with_name("scripts")
SCHEMA_VERSION = 1.0
NO_CHECKSUM = "-"
NODE_SCRIPTS = "scripts"
"""Component with what Slurm runs."""
ROOT_VOLUME: dict[str, Any] = {"volume_type": "gp3", "encrypted": True, "delete_on_termination": True}
"""Without a size it is that of the parent: a larger one would not fit the nodes' root volumes."""
BUILD, VALIDATE, TEST = "build", "validate", "test"
"""Phases: before the AMI is made, and on an instance of it. Each document has one: a page of Image Builder states
that the test stage runs documents with this phase alone.

Source: https://docs.aws.amazon.com/imagebuilder/latest/userguide/manage-components.html
"""


class Component(Struct, frozen=True):
    """Its name is unique in the environment; ``text`` is the document, of at most 16,000 characters."""

    name: str
    text: str

    @property
    def version(self) -> str:
        """Changes with the document: Image Builder keeps every version of a component as it is."""
        return f"1.0.{_number(self.text)}"


def components(image: SlurmImagePlan) -> tuple[Component, ...]:
    """In the order in which they run."""
    return tuple(_components(image))


def recipe_version(image: SlurmImagePlan) -> str:
    """Changes with everything that the AMI is built from: its second number with software, its third with scripts."""
    every = {each.name: each.version for each in components(image)}
    scripts = every.pop(f"{image.name}-{NODE_SCRIPTS}")
    parts = [image.parent or "", image.root_device_name, json.dumps(ROOT_VOLUME)]
    software = _number("\n".join([*parts, *(f"{name} {version}" for name, version in every.items())]))
    return f"1.{software}.{scripts.rpartition('.')[2]}"


def software_version(version: str) -> str:
    """That of a recipe without the scripts, which each start of a node writes again."""
    return version.rpartition(".")[0]


def _number(text: str) -> int:
    """Of a content. Each number of a version of Image Builder is below 2^30."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:7], 16)


def _components(image: SlurmImagePlan) -> Iterator[Component]:
    component = functools.partial(_component, image)
    yield component("prepare", "prepare.sh", {})
    yield component("agent", "installer.sh", _installer(image, AGENT, "", "/opt/aws/pcs/version"))
    version_file = f"/opt/aws/pcs/scheduler/slurm-{image.slurm_version}/version"
    yield component("scheduler", "installer.sh", _installer(image, _row(image, INSTALLER), "-y", version_file))
    if image.has_lustre:
        yield component("lustre", "lustre.sh", {}, _lustre(image))
    if image.efs_package is not None:
        yield component("efs", "efs.sh", {"PACKAGE": image.efs_package})
    if image.has_containers:
        yield component("containers", "containers.sh", _containers(image))
    yield Component(
        f"{image.name}-{NODE_SCRIPTS}", _document("Scripts that Slurm runs on a node", BUILD, _node_scripts())
    )
    yield component("checks", "checks.sh", _checks(image), phase=VALIDATE)
    yield component("tests", "checks.sh", _checks(image), phase=TEST)


def _component(
    image: SlurmImagePlan,
    name: str,
    script: str,
    values: Mapping[str, str],
    head: str = "",
    *,
    phase: str = BUILD,
) -> Component:
    assignments = "".join(f"{key}={shlex.quote(value)}\n" for key, value in values.items())
    common, own = ((SCRIPTS / each).read_text(encoding="utf-8") for each in ("packages.sh", script))
    title = own.partition("\n")[0].removeprefix("# ").partition(". ")[0].rstrip(".")
    return Component(f"{image.name}-{name}", _document(title, phase, f"{head}{assignments}{common}{own}"))


def _document(description: str, phase: str, script: str) -> str:
    step = {"name": "Run", "action": "ExecuteBash", "onFailure": "Abort", "inputs": {"commands": [script]}}
    document = {
        "description": description,
        "schemaVersion": SCHEMA_VERSION,
        "phases": [{"name": phase, "steps": [step]}],
    }
    return json.dumps(document, indent=1)


def _row(image: SlurmImagePlan, kind: str) -> str:
    return next(name for name in image.software if name.startswith(f"{kind}_"))


def _url(image: SlurmImagePlan, row: SlurmSoftware, url: str) -> str:
    return url.format(region=image.region, version=row.version)


def _installer(image: SlurmImagePlan, name: str, arguments: str, version_file: str) -> dict[str, str]:
    row = slurm_software()[name]
    (file,) = row.files
    return {
        "URL": _url(image, row, file.url),
        "SIGNING_KEY": _url(image, row, file.signing_key or ""),
        "FINGERPRINT": file.fingerprint or "",
        "FOLDER": file.folder or "",
        "ARGUMENTS": arguments,
        "VERSION_FILE": version_file,
    }


def _containers(image: SlurmImagePlan) -> dict[str, str]:
    enroot, pyxis = slurm_software()[ENROOT], slurm_software()[_row(image, PYXIS)]
    packages, (source,) = enroot.files_for(image.operating_system), pyxis.files
    return {
        "PACKAGES": " ".join(_url(image, enroot, each.url) for each in packages),
        "PACKAGE_SHA256": " ".join(each.sha256 or NO_CHECKSUM for each in packages),
        "SOURCE": _url(image, pyxis, source.url),
        "SOURCE_SHA256": source.sha256 or NO_CHECKSUM,
        "SOURCE_FOLDER": source.folder or "",
        "SLURM_VERSION": image.slurm_version,
    }


def _lustre(image: SlurmImagePlan) -> str:
    """The name of the package may hold a command, for the release of the kernel."""
    client = load_catalog().lustre_client(image.operating_system)
    package = client.package if client is not None else None
    if package is None:
        raise LookupError(f"the catalog has no Lustre client for {image.operating_system}")
    values = {
        "REPOSITORY": package.repository or "",
        "REPOSITORY_KEY": package.repository_key or "",
        "HELD": " ".join(package.held),
        "REQUIRED": "yes" if image.needs_lustre else "no",
    }
    return f'PACKAGE="{package.name}"\n' + "".join(f"{key}={shlex.quote(value)}\n" for key, value in values.items())


def _node_scripts() -> str:
    return "".join(["set -euo pipefail\n", "umask 022\n", *writing_commands(slurm_scripts())])


def _checks(image: SlurmImagePlan) -> dict[str, str]:
    return {
        "SLURM_VERSION": image.slurm_version,
        "FOLDER": FOLDER,
        "PROGRAMS": " ".join(programs(slurm_scripts())),
        "WITH_LUSTRE": "yes" if image.needs_lustre else "no",
        "WITH_EFS": "yes" if image.needs_efs or image.efs_package is not None else "no",
        "WITH_CONTAINERS": "yes" if image.has_containers else "no",
    }
