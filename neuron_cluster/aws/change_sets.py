"""Change sets of CloudFormation that import existing resources into a stack.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources.html
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

IMPORT = "Import"
"""The action of a resource that exists and that the stack takes over."""


class ImportedResource(Struct, frozen=True):
    """A resource that exists, and its place in the template."""

    type: str
    logical_id: str
    identifier: str
    """The property that identifies a resource of this type: ``BucketName``."""
    physical_id: str


class ChangeSet(Struct, frozen=True):
    status: str
    reason: str
    changes: tuple[tuple[str, str], ...]
    """Action and logical id of each resource."""


def create_import(target: Target, stack: str, name: str, body: str, imported: Sequence[ImportedResource]) -> None:
    """Starts a change set that imports these resources; a new stack is then in REVIEW_IN_PROGRESS."""
    with translated():
        client(target, "cloudformation").create_change_set(
            StackName=stack,
            ChangeSetName=name,
            ChangeSetType="IMPORT",
            TemplateBody=body,
            ResourcesToImport=[
                {
                    "ResourceType": each.type,
                    "LogicalResourceId": each.logical_id,
                    "ResourceIdentifier": {each.identifier: each.physical_id},
                }
                for each in imported
            ],
        )


def change_set(target: Target, stack: str, name: str) -> ChangeSet:
    """A change set of at most as many resources as one response has: an import of a few."""
    with translated():
        found = client(target, "cloudformation").describe_change_set(StackName=stack, ChangeSetName=name)
    changes = [row["ResourceChange"] for row in found.get("Changes", ())]
    return ChangeSet(
        found["Status"],
        found.get("StatusReason", ""),
        tuple((change["Action"], change["LogicalResourceId"]) for change in changes),
    )


def execute_change_set(target: Target, stack: str, name: str) -> None:
    with translated():
        client(target, "cloudformation").execute_change_set(StackName=stack, ChangeSetName=name)


def delete_change_set(target: Target, stack: str, name: str) -> None:
    """One that does not exist is deleted already."""
    with translated():
        client(target, "cloudformation").delete_change_set(StackName=stack, ChangeSetName=name)
