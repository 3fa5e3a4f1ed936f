"""Metadata configurations that the deployment type or the Lustre version does not support."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class MetadataConfigurationNotSupported(ResourceRule):
    """The deployment type and the Lustre version support a metadata configuration (`MetadataConfiguration`)."""

    id = "E8306"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html; versions: "
        "catalog/data/lustre.yaml"
    )
    types = ("AWS::FSx::FileSystem",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        deployment = deployment_of(resource, catalog)
        if deployment is None or not is_given(at(resource.properties, "LustreConfiguration", "MetadataConfiguration")):
            return
        allowed, version = deployment.metadata_versions, resource.properties.get("FileSystemTypeVersion")
        if not allowed:
            yield Violation(
                "LustreConfiguration.MetadataConfiguration",
                f"is set; {deployment.name} has no metadata configuration",
                "remove MetadataConfiguration",
            )
        elif version in deployment.versions and version not in allowed and not is_unknown(version):
            yield Violation(
                "FileSystemTypeVersion",
                f"is {version}; a metadata configuration requires {' or '.join(allowed)}",
                f'set FileSystemTypeVersion: "{allowed[-1]}"',
            )
