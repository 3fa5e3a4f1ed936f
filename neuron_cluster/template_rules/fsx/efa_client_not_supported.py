from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of, instance_types
from neuron_cluster.template_rules.property_tree import at, is_true


class EfaClientNotSupported(TemplateRule):
    """Instance types that FSx excludes as EFA clients are not in an environment with EFA on Lustre (`EfaEnabled`).

    They mount the file system over TCP, and its larger minimum capacity is billed for no use.
    """

    id = "E8309"
    operation = "fsx:CreateFileSystem"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html; families: catalog/data/lustre.yaml"
    )
    types = ("AWS::FSx::FileSystem",)

    def check(self, context: TemplateContext) -> Violations:
        deployment = deployment_of(context.resource, context.catalog)
        if deployment is None or not is_true(at(context.resource.properties, "LustreConfiguration", "EfaEnabled")):
            return
        rows = map(context.catalog.instance_types.get, instance_types(context.look_up))
        excluded = sorted({row.name for row in rows if row and row.family in deployment.efa_excluded_families})
        if excluded:
            yield Violation(
                "LustreConfiguration.EfaEnabled",
                f"is true; FSx supports no EFA client on {', '.join(excluded)}",
                "set EfaEnabled: false",
            )
