from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.association import linked_path
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource


class OverlappingAssociations(TemplateRule):
    """Folders and prefixes of the associations of a file system do not contain each other (`FileSystemPath`).

    The folder `/` contains all others.
    """

    id = "E8312"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/create-dra-linked-data-repo.html"
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, context: TemplateContext) -> Violations:
        file_system = context.look_up.referred(context.resource.properties.get("FileSystemId"))
        if file_system is None:
            return
        for other in context.look_up.resources(*self.types):
            if other is context.resource:
                return  # the later one of two is reported
            if context.look_up.referred(other.properties.get("FileSystemId")) is file_system:
                yield from _overlaps(context.resource, other)


def _overlaps(resource: TemplateResource, other: TemplateResource) -> Violations:
    for name, one, two in (
        ("FileSystemPath", _folder(resource), _folder(other)),
        ("DataRepositoryPath", linked_path(resource), linked_path(other)),
    ):
        if one is not None and two is not None and (one.startswith(two) or two.startswith(one)):
            yield Violation(
                name,
                f"overlaps with {name} of {other.logical_id}; associations of one file system are separate",
                f"write another {name}, or remove the association",
            )


def _folder(association: TemplateResource) -> str | None:
    folder = text(association.properties.get("FileSystemPath"))
    return f"{folder.rstrip('/')}/" if folder is not None else None
