from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import INTELLIGENT_TIERING, deployment_of
from neuron_cluster.template_rules.property_tree import at, is_unknown, whole_number


class LustreThroughput(TemplateRule):
    """The throughput of a Lustre file system is a tier of its deployment type (`PerUnitStorageThroughput`)."""

    id = "E8302"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = (
        "boto/botocore 1.44.5: fsx CreateFileSystemLustreConfiguration PerUnitStorageThroughput; tiers: "
        "catalog/data/lustre.yaml"
    )
    types = ("AWS::FSx::FileSystem",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        deployment = deployment_of(resource, context.catalog)
        given = at(resource.properties, "LustreConfiguration", "PerUnitStorageThroughput")
        if deployment is None or is_unknown(given) or resource.properties.get("StorageType") == INTELLIGENT_TIERING:
            return
        tiers = deployment.throughput_tiers
        if (whole_number(given) not in tiers) if tiers else given is not None:
            allowed = ", ".join(map(str, tiers)) or "none"
            yield Violation(
                "LustreConfiguration.PerUnitStorageThroughput",
                f"is {'not set' if given is None else given}; the tiers of {deployment.name} are {allowed}",
                f"set PerUnitStorageThroughput to one of {allowed}" if tiers else "remove PerUnitStorageThroughput",
            )
