"""Clients of shared file systems in an AMI: what the catalog has for an operating system, and their steps."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.image.component import Step, image_script
from neuron_cluster.image.node_image import NodeImage


def has_lustre_client(operating_system: str, catalog: Catalog) -> bool:
    """Whether the catalog has a package of the Lustre client."""
    client = catalog.lustre_clients.get(operating_system)
    return client is not None and client.package is not None


def missing_clients(dlami: Dlami, catalog: Catalog) -> Iterator[str]:
    """Clients that an AMI built from this one will not have, and why."""
    if not has_lustre_client(dlami.operating_system, catalog):
        yield f"the Lustre client: the catalog has no package for {dlami.operating_system}"
    if dlami.efs_client is None:
        yield f"the EFS mount helper: {dlami.operating_system} has no package of it"


def client_titles(image: NodeImage) -> Iterator[str]:
    """Clients that the recipe installs, for people."""
    if image.has_lustre:
        yield "Lustre client" if image.needs_lustre else "Lustre client, where there is one for the kernel"
    if image.efs_package is not None:
        yield "EFS mount helper"


def client_steps(image: NodeImage, catalog: Catalog) -> Iterator[Step]:
    """Raises ``LookupError`` for an operating system whose Lustre client is no longer in the catalog."""
    if image.has_lustre:
        yield _lustre(image, catalog)
    if image.efs_package is not None:
        yield Step(name="efs", script=image_script("efs.sh"), values={"PACKAGE": image.efs_package})


def client_checks(image: NodeImage) -> dict[str, str]:
    """Values that ``common_checks`` reads."""
    return {
        "WITH_LUSTRE": "yes" if image.needs_lustre else "no",
        "WITH_EFS": "yes" if image.needs_efs or image.efs_package is not None else "no",
    }


def common_checks() -> str:
    """Shell that checks EFA, the Neuron driver and the clients. It calls ``fail WHAT``."""
    return image_script("checks.sh")


def _lustre(image: NodeImage, catalog: Catalog) -> Step:
    """The name of the package may hold a command, for the release of the kernel."""
    client = catalog.lustre_clients.get(image.operating_system)
    package = client.package if client is not None else None
    if package is None:
        raise LookupError(f"the catalog has no Lustre client for {image.operating_system}")
    values = {
        "REPOSITORY": package.repository or "",
        "REPOSITORY_KEY": package.repository_key or "",
        "HELD": " ".join(package.held),
        "REQUIRED": "yes" if image.needs_lustre else "no",
    }
    return Step(name="lustre", script=image_script("lustre.sh"), values=values, head=f'PACKAGE="{package.name}"\n')
