"""Containers in Slurm jobs: enroot and pyxis, where the catalog has both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.slurm_software import ENROOT, PYXIS, SlurmSoftware
from neuron_cluster.image.component import Step
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan

SCRIPT = Path(__file__).with_name("containers.sh")
NO_CHECKSUM = "-"


def container_software(slurm_version: str, operating_system: str, catalog: Catalog) -> tuple[SlurmSoftware, ...]:
    """Rows in the order of installation; empty where ``missing_containers`` has a reason."""
    enroot, pyxis = catalog.slurm_software[ENROOT], catalog.slurm_software.pyxis(slurm_version)
    return (enroot, pyxis) if pyxis is not None and enroot.files_for(operating_system) else ()


def missing_containers(slurm_version: str, operating_system: str, catalog: Catalog) -> Iterator[str]:
    """Why the AMI has no containers; nothing where it has them."""
    if not container_software(slurm_version, operating_system, catalog):
        lack = (
            "pyxis for" if catalog.slurm_software.pyxis(slurm_version) is None else f"enroot on {operating_system}, for"
        )
        yield f"containers in jobs: the catalog has no {lack} Slurm {slurm_version}"


def container_step(image: SlurmImagePlan, folder: str, settings: str, catalog: Catalog) -> Step:
    """The step that installs both. ``folder`` and ``settings`` are those of Slurm on a node."""
    enroot, pyxis = catalog.slurm_software[ENROOT], catalog.slurm_software[image.row(PYXIS)]
    packages, (source,) = enroot.files_for(image.operating_system), pyxis.files
    values = {
        "PACKAGES": " ".join(enroot.address(file.url, image.region) for file in packages),
        "PACKAGE_SHA256": " ".join(file.sha256 or NO_CHECKSUM for file in packages),
        "SOURCE": pyxis.address(source.url, image.region),
        "SOURCE_SHA256": source.sha256 or NO_CHECKSUM,
        "SOURCE_FOLDER": source.folder or "",
        "SLURM_VERSION": image.slurm_version,
    }
    text = SCRIPT.read_text(encoding="utf-8").replace("@FOLDER@", folder).replace("@SETTINGS@", settings)
    return Step(name="containers", script=text, values=values)
