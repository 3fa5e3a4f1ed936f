from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import INTELLIGENT_TIERING, deployment_of
from neuron_cluster.template_rules.property_tree import at, is_true, is_unknown, whole_number


class EfaCapacity(TemplateRule):
    """A file system with EFA has a metadata configuration and a capacity in steps of its throughput (`EfaEnabled`)."""

    id = "E8310"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html; steps: catalog/data/lustre.yaml"
    types = ("AWS::FSx::FileSystem",)

    def check(self, context: TemplateContext) -> Violations:
        deployment = deployment_of(context.resource, context.catalog)
        lustre = context.resource.properties.get("LustreConfiguration")
        is_tiering = context.resource.properties.get("StorageType") == INTELLIGENT_TIERING
        if deployment is None or not is_true(at(lustre, "EfaEnabled")) or is_tiering:
            return
        if not deployment.efa_capacity_step_gib:
            message = f"is true; {deployment.name} has no EFA"
            yield Violation("LustreConfiguration.EfaEnabled", message, "remove EfaEnabled")
            return
        if at(lustre, "MetadataConfiguration") is None:
            yield Violation(
                "LustreConfiguration.MetadataConfiguration",
                "is not set; EFA requires a metadata configuration",
                "set MetadataConfiguration: {Mode: AUTOMATIC}",
            )
        tier = whole_number(at(lustre, "PerUnitStorageThroughput"))
        step = deployment.efa_capacity_step_gib.get(tier) if tier is not None else None
        capacity = context.resource.properties.get("StorageCapacity")
        given = whole_number(capacity)
        if step is None or given is None or is_unknown(capacity) or given % step == 0:
            return  # rules E8301 and E8302
        yield Violation(
            "StorageCapacity",
            f"is {given} GiB; with EFA and {tier} MB/s per TiB it is a multiple of {step} GiB",
            f"set StorageCapacity: {-(-given // step) * step}",
        )
