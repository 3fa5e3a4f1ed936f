"""Invalid throughput tiers of Lustre file systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.lustre import INTELLIGENT_TIERING, deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class LustreThroughput(ResourceRule):
    """The throughput of a Lustre file system is a tier of its deployment type (`PerUnitStorageThroughput`)."""

    id = "E8302"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = (
        "boto/botocore 1.44.5: fsx CreateFileSystemLustreConfiguration PerUnitStorageThroughput; tiers: "
        "catalog/data/lustre.yaml"
    )
    types = ("AWS::FSx::FileSystem",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        deployment = deployment_of(resource, catalog)
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
