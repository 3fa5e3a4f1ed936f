from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.property_tree import is_unknown


class LustreVersion(TemplateRule):
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

    def check(self, context: TemplateContext) -> Violations:
        deployment = deployment_of(context.resource, context.catalog)
        version = context.resource.properties.get("FileSystemTypeVersion")
        if deployment is not None and not is_unknown(version) and version not in deployment.versions:
            yield Violation(
                "FileSystemTypeVersion",
                f"is {version or 'not set'}; {deployment.name} supports {', '.join(deployment.versions)}",
                f'set FileSystemTypeVersion: "{deployment.recommended_version}"',
            )
