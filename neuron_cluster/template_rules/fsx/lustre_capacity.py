"""Invalid storage capacities of Lustre file systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class LustreCapacity(ResourceRule):
    """The storage capacity of a Lustre file system is valid for its deployment type (`StorageCapacity`)."""

    id = "E8301"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = "boto/botocore 1.44.5: fsx CreateFileSystemRequest StorageCapacity; sizes: catalog/data/lustre.yaml"
    types = ("AWS::FSx::FileSystem",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        deployment = deployment_of(resource, catalog)
        capacity = whole_number(resource.properties.get("StorageCapacity"))
        if deployment is not None and capacity is not None and not deployment.allows_capacity(capacity):
            hint = f"set StorageCapacity: {' or '.join(map(str, deployment.nearest_capacities(capacity)))}"
            yield Violation("StorageCapacity", f"{capacity} GiB is not a valid size for {deployment.name}", hint)
