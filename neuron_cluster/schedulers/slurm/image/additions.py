"""The additions of Slurm to the recipe of an AMI: containers in jobs, the scripts that it runs, and checks."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.image.clients import client_checks, common_checks
from neuron_cluster.image.component import Step
from neuron_cluster.image.recipe import Additions
from neuron_cluster.schedulers.slurm.image.containers import container_step
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan
from neuron_cluster.schedulers.slurm.node_files import programs, slurm_scripts, writing_commands
from neuron_cluster.schedulers.slurm.script_settings import FOLDER

CHECKS = Path(__file__).with_name("checks.sh")


class SlurmInstallation(Struct, frozen=True, kw_only=True):
    """How a provider installs Slurm. Folders are shell words in which ``$SLURM_VERSION`` is set."""

    installers: tuple[Step, ...]
    """Steps that install Slurm, and what the provider needs in addition to it."""
    folder: str
    """Folder of Slurm, with ``bin`` and ``lib``."""
    settings: str
    """Folder of the plug-ins' settings."""
    check: str
    """Shell that checks what the provider needs in addition to Slurm. It calls ``fail WHAT``."""


def slurm_additions(image: SlurmImagePlan, installation: SlurmInstallation, catalog: Catalog) -> Additions:
    """The additions to the recipe of nodes of this provider."""
    containers = (
        container_step(image, installation.folder, installation.settings, catalog) if image.has_containers else None
    )
    return Additions(
        installers=installation.installers,
        software=(containers,) if containers is not None else (),
        scripts_title="Scripts that Slurm runs on a node",
        scripts="".join(["set -euo pipefail\n", "umask 022\n", *writing_commands(slurm_scripts())]),
        checks=_checks(image, installation),
    )


def _checks(image: SlurmImagePlan, installation: SlurmInstallation) -> Step:
    text = CHECKS.read_text(encoding="utf-8").replace("@FOLDER@", installation.folder)
    script = text.replace("@PROVIDER@\n", installation.check).replace("@COMMON@\n", common_checks())
    values = {
        "SLURM_VERSION": image.slurm_version,
        "FOLDER": FOLDER,
        "PROGRAMS": " ".join(programs(slurm_scripts())),
        **client_checks(image),
        "WITH_CONTAINERS": "yes" if image.has_containers else "no",
    }
    return Step(name="checks", script=script, values=values)
