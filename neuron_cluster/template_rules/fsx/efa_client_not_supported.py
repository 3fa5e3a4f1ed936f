"""Lustre file systems with EFA beside instance types that FSx excludes as EFA clients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.lustre import deployment_of, instance_types
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_true
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class EfaClientNotSupported(ResourceRule):
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

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        deployment = deployment_of(resource, catalog)
        if deployment is None or not is_true(at(resource.properties, "LustreConfiguration", "EfaEnabled")):
            return
        rows = map(catalog.instance_type, instance_types(look_up))
        excluded = sorted({row.name for row in rows if row and row.family in deployment.efa_excluded_families})
        if excluded:
            yield Violation(
                "LustreConfiguration.EfaEnabled",
                f"is true; FSx supports no EFA client on {', '.join(excluded)}",
                "set EfaEnabled: false",
            )
