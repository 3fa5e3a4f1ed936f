"""Lustre versions that the deployment type does not support."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class LustreVersion(ResourceRule):
    """The Lustre version is set and supported by the deployment type (`FileSystemTypeVersion`).

    Where it is not set, FSx uses the oldest version, which clients on newer kernels cannot mount.
    """

    id = "E8303"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = (
        "boto/botocore 1.44.5: fsx CreateFileSystemRequest FileSystemTypeVersion; versions: catalog/data/lustre.yaml"
    )
    references = ("kubernetes-sigs/aws-fsx-csi-driver#437", "amazonlinux/amazon-linux-2023#723")
    types = ("AWS::FSx::FileSystem",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        deployment = deployment_of(resource, catalog)
        version = resource.properties.get("FileSystemTypeVersion")
        if deployment is not None and not is_unknown(version) and version not in deployment.versions:
            yield Violation(
                "FileSystemTypeVersion",
                f"is {version or 'not set'}; {deployment.name} supports {', '.join(deployment.versions)}",
                f'set FileSystemTypeVersion: "{deployment.recommended_version}"',
            )
