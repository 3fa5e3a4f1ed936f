from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.lustre_client import LustreClient
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text


class LustreVersionWithoutClient(TemplateRule):
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

    def check(self, context: TemplateContext) -> Violations:
        deployment = deployment_of(context.resource, context.catalog)
        version = text(context.resource.properties.get("FileSystemTypeVersion"))
        if deployment is None or version not in deployment.versions:
            return  # rule E8303
        for client in _clients(context.look_up, context.catalog):
            if version not in client.servers:
                fitting = [each for each in deployment.versions if each in client.servers]
                yield Violation(
                    "FileSystemTypeVersion",
                    f"is {version}; the client of {client.name} mounts {', '.join(client.servers)}",
                    f'set FileSystemTypeVersion: "{fitting[-1]}"',
                )


def _clients(look_up: LookUp, catalog: Catalog) -> list[LustreClient]:
    """Returns the clients of the node groups of all stacks, without those in doubt."""
    found: dict[str, LustreClient] = {}
    for group in look_up.resources("AWS::EKS::Nodegroup"):
        ami_type = catalog.ami_types.get(text(group.properties.get("AmiType")) or "")
        system = ami_type.operating_system if ami_type is not None else None
        client = catalog.lustre_clients.get(system) if system is not None else None
        if client is not None and not client.doubt:
            found[client.name] = client
    return list(found.values())
