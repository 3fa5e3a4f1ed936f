from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given


class DataRepositoryAssociationWithImportPath(TemplateRule):
    """A file system has data repository associations or `ImportPath` and `ExportPath`, not both."""

    id = "E8304"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/create-dra-linked-data-repo.html"
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, context: TemplateContext) -> Violations:
        file_system = context.look_up.referred(context.resource.properties.get("FileSystemId"))
        if file_system is None:
            return
        for name in ("ImportPath", "ExportPath"):
            if is_given(at(file_system.properties, "LustreConfiguration", name)):
                hint = f"remove {name} from LustreConfiguration of {file_system.logical_id}"
                yield Violation(
                    "FileSystemId", f"{file_system.logical_id} sets {name}, which excludes associations", hint
                )
