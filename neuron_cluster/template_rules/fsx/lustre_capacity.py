from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.property_tree import whole_number


class LustreCapacity(TemplateRule):
    """The storage capacity of a Lustre file system is valid for its deployment type (`StorageCapacity`)."""

    id = "E8301"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = "boto/botocore 1.44.5: fsx CreateFileSystemRequest StorageCapacity; sizes: catalog/data/lustre.yaml"
    types = ("AWS::FSx::FileSystem",)

    def check(self, context: TemplateContext) -> Violations:
        deployment = deployment_of(context.resource, context.catalog)
        capacity = whole_number(context.resource.properties.get("StorageCapacity"))
        if deployment is not None and capacity is not None and not deployment.allows_capacity(capacity):
            hint = f"set StorageCapacity: {' or '.join(map(str, deployment.nearest_capacities(capacity)))}"
            yield Violation("StorageCapacity", f"{capacity} GiB is not a valid size for {deployment.name}", hint)
