from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of, instance_types
from neuron_cluster.template_rules.property_tree import at, is_true


class EfaClientNotDocumented(TemplateRule):
    """Instance types with Neuron devices are documented as EFA clients where Lustre has EFA (`EfaEnabled`).

    FSx excludes one family by name (E8309). For the others with Neuron devices no source shows that they mount a file
    system over EFA: the setup program of AWS binds the devices of other accelerators alone. Clients that cannot use
    EFA mount over TCP, and the larger minimum capacity is billed for no use.
    """

    id = "W8315"
    operation = "fsx:CreateFileSystem"
    error_code = None
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html; doubt: catalog/data/lustre.yaml"
    types = ("AWS::FSx::FileSystem",)

    def check(self, context: TemplateContext) -> Violations:
        look_up, catalog = context.look_up, context.catalog
        deployment = deployment_of(context.resource, catalog)
        if deployment is None or not is_true(at(context.resource.properties, "LustreConfiguration", "EfaEnabled")):
            return
        rows = [row for row in map(catalog.instance_types.get, instance_types(look_up)) if row and row.neuron_devices]
        names = sorted({row.name for row in rows if row.family not in deployment.efa_excluded_families})
        if names and deployment.efa_capacity_step_gib:  # a type without EFA is E8310's
            yield Violation(
                "LustreConfiguration.EfaEnabled",
                f"is true; no source names {', '.join(names)} as a client over EFA",
                "set EfaEnabled: false",
            )
