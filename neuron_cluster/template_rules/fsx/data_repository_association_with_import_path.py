"""Data repository associations on a file system with ImportPath or ExportPath."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class DataRepositoryAssociationWithImportPath(ResourceRule):
    """A file system has data repository associations or `ImportPath` and `ExportPath`, not both."""

    id = "E8304"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/create-dra-linked-data-repo.html"
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        file_system = look_up.referred(resource.properties.get("FileSystemId"))
        if file_system is None:
            return
        for name in ("ImportPath", "ExportPath"):
            if is_given(at(file_system.properties, "LustreConfiguration", name)):
                hint = f"remove {name} from LustreConfiguration of {file_system.logical_id}"
                yield Violation(
                    "FileSystemId", f"{file_system.logical_id} sets {name}, which excludes associations", hint
                )
