"""Lustre versions that the clients of the node groups do not mount."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.lustre_client import LustreClient


class LustreVersionWithoutClient(ResourceRule):
    """The Lustre client of each node group's AMI type mounts the version of the file system (`FileSystemTypeVersion`).

    FSx creates the file system; each mount on these nodes fails.
    """

    id = "E8305"
    operation = "fsx:CreateFileSystem"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/lustre-client-matrix.html; clients: "
        "catalog/data/lustre_clients.yaml"
    )
    references = ("amazonlinux/amazon-linux-2023#723",)
    types = ("AWS::FSx::FileSystem",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        deployment = deployment_of(resource, catalog)
        version = text(resource.properties.get("FileSystemTypeVersion"))
        if deployment is None or version not in deployment.versions:
            return  # rule E8303
        for client in _clients(look_up, catalog):
            if version not in client.servers:
                fitting = [each for each in deployment.versions if each in client.servers]
                yield Violation(
                    "FileSystemTypeVersion",
                    f"is {version}; the client of {client.name} mounts {', '.join(client.servers)}",
                    f'set FileSystemTypeVersion: "{fitting[-1]}"',
                )


def _clients(look_up: LookUp, catalog: Catalog) -> list[LustreClient]:
    """Those of the node groups of all stacks, without clients in doubt."""
    found: dict[str, LustreClient] = {}
    for group in look_up.resources("AWS::EKS::Nodegroup"):
        ami_type = catalog.ami_type(text(group.properties.get("AmiType")) or "")
        system = ami_type.operating_system if ami_type is not None else None
        client = catalog.lustre_client(system) if system is not None else None
        if client is not None and not client.doubt:
            found[client.name] = client
    return list(found.values())
