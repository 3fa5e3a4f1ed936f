"""CloudFormation creates the new resource before it deletes the old one: some cannot exist at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.guards.network_edit import network_remedy
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.findings.text import listed

GATEWAY_ATTACHMENT = "AWS::EC2::VPCGatewayAttachment"
ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"

UNIQUE: dict[str, tuple[tuple[str, ...], ...]] = {
    GATEWAY_ATTACHMENT: (("InternetGatewayId",),),
    ASSOCIATION: (("FileSystemId", "FileSystemPath"), ("FileSystemId", "DataRepositoryPath")),
    "AWS::Logs::LogGroup": (("LogGroupName",),),
    "AWS::S3::Bucket": (("BucketName",),),
    "AWS::SSM::Parameter": (("Name",),),
}
"""Properties that no two resources of a type may share; a provider adds those of its types.

Source: CloudFormation reference of each type; FSx for Lustre guide, data repository associations ("can't overlap");
EC2 AttachInternetGateway (Resource.AlreadyAssociated).
"""


class NameTaken(Guard):
    """A resource that is replaced can coexist with its replacement.

    CloudFormation creates the new resource before it deletes the old one; services reject two with one name. What
    follows from the same edit is folded into one error. Two checks of this kind have ids of their own: E9021, a node
    group that an edit moves to another stack, and E9022, a subnet whose addresses overlap a deployed one.
    """

    id = "E9008"
    source = (
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.replaced:
            kind = comparison.type_of(address)
            shared = next((names for names in _unique(kind) if _stay(comparison, address, names)), None)
            if shared is not None:
                yield _twin(comparison, address, shared)


def _unique(kind: str) -> tuple[tuple[str, ...], ...]:
    known = registered_resource_kinds().get(kind)
    return known.unique if known is not None else UNIQUE.get(kind, ())


def _twin(comparison: Comparison, address: Address, shared: tuple[str, ...]) -> Violation:
    message = (
        f"{name_in(comparison, address)} would be replaced, because {why_replaced(comparison, address)}; "
        f"CloudFormation creates the new one before it deletes the old one, and the service rejects two with the "
        f"same {listed(list(shared))}"
    )
    hint = "take two steps: 1. take it out of the file and deploy; 2. put it back with the new setting and deploy"
    if comparison.type_of(address) == ASSOCIATION:
        hint += "; where the new one deletes something that the bucket has, that deploy asks for the name (E9049)"
    if comparison.type_of(address) == GATEWAY_ATTACHMENT:  # it comes with the network, which every file has
        hint = network_remedy(comparison, "undo the edit of the network")
    return Violation(address, message, hint)


def _stay(comparison: Comparison, address: Address, names: tuple[str, ...]) -> bool:
    """Whether these properties are given and mean the same before and after."""
    old, new = (stacks.properties(address) for stacks in (comparison.before, comparison.after))
    return all(_stays(comparison, old.get(name), new.get(name)) for name in names)


def _stays(comparison: Comparison, old: Any, new: Any) -> bool:
    return new is not None and old == new and not any(comparison.has_moved(reference) for reference in references(new))
