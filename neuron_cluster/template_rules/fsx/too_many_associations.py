from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource


class TooManyAssociations(TemplateRule):
    """A file system has no more data repository associations than FSx allows (`FileSystemId`)."""

    id = "E8311"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = "ServiceLimitExceeded"
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/create-dra-linked-data-repo.html; limit: "
        "catalog/data/lustre.yaml"
    )
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, context: TemplateContext) -> Violations:
        file_system = context.look_up.referred(context.resource.properties.get("FileSystemId"))
        deployment = deployment_of(file_system, context.catalog) if file_system is not None else None
        if file_system is None or deployment is None:
            return
        linked = [each for each in context.look_up.resources(*self.types) if _is_of(each, file_system, context.look_up)]
        position = linked.index(context.resource) + 1
        if position > deployment.most_data_repository_associations:
            yield Violation(
                "FileSystemId",
                f"is association {position} of {file_system.logical_id}; FSx allows "
                f"{deployment.most_data_repository_associations}",
                "remove the association, and link a folder that holds both",
            )


def _is_of(association: TemplateResource, file_system: TemplateResource, look_up: LookUp) -> bool:
    return look_up.referred(association.properties.get("FileSystemId")) is file_system
