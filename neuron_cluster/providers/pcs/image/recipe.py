"""The recipe of the AMI of a PCS cluster: the agent and the installer of Slurm come from signed archives of PCS.

Source: https://docs.aws.amazon.com/pcs/latest/userguide/working-with_ami_custom.html
"""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.slurm_software import AGENT, INSTALLER
from neuron_cluster.image.component import Step
from neuron_cluster.image.recipe import Recipe, node_recipe
from neuron_cluster.schedulers.slurm.image.additions import SlurmInstallation, slurm_additions
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan

SCRIPT = Path(__file__).with_name("installer.sh")
FOLDER = "/opt/aws/pcs/scheduler/slurm-{version}"
SETTINGS = "/etc/aws/pcs/scheduler/slurm-{version}"
AGENT_VERSION = "/opt/aws/pcs/version"
IN_SHELL = "$SLURM_VERSION"


def slurm_recipe(image: SlurmImagePlan, catalog: Catalog) -> Recipe:
    """The recipe that `image build` deploys."""
    version_file = f"{FOLDER.format(version=image.slurm_version)}/version"
    installation = SlurmInstallation(
        installers=(
            _installer(image, "agent", AGENT, "", AGENT_VERSION, catalog),
            _installer(image, "scheduler", image.row(INSTALLER), "-y", version_file, catalog),
        ),
        folder=FOLDER.format(version=IN_SHELL),
        settings=SETTINGS.format(version=IN_SHELL),
        check=f'[[ -s {AGENT_VERSION} ]] || fail "the PCS agent"\n',
    )
    return node_recipe(image, slurm_additions(image, installation, catalog), catalog)


def _installer(
    image: SlurmImagePlan, name: str, row_name: str, arguments: str, version_file: str, catalog: Catalog
) -> Step:
    row = catalog.slurm_software[row_name]
    (file,) = row.files
    values = {
        "URL": row.address(file.url, image.region),
        "SIGNING_KEY": row.address(file.signing_key or "", image.region),
        "FINGERPRINT": file.fingerprint or "",
        "FOLDER": file.folder or "",
        "ARGUMENTS": arguments,
        "VERSION_FILE": version_file,
    }
    return Step(name=name, script=SCRIPT.read_text(encoding="utf-8"), values=values)
