from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.property_tree import at, is_given, is_unknown


class MetadataConfigurationNotSupported(TemplateRule):
    """The deployment type and the Lustre version support a metadata configuration (`MetadataConfiguration`)."""

    id = "E8306"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html; versions: "
        "catalog/data/lustre.yaml"
    )
    types = ("AWS::FSx::FileSystem",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        deployment = deployment_of(resource, context.catalog)
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
