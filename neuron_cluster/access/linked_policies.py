"""Policies in the templates of an environment, with a name for everything that only a deploy names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.linked_stacks import LinkedStacks
from local_aws.cloudformation.template import Template
from local_aws.cloudformation.values import UNKNOWN, Address, Reference, as_text, holds_unknown
from neuron_cluster.access.statement import Statement, statements_of

DATA_SERVICES = frozenset(("s3", "s3express", "kms"))
"""Prefixes of actions on the buckets and their key."""


class LinkedPolicies:
    """Templates by stack name. A bucket, key, role or cluster has the ARN that it could have after a deploy.

    Any other attribute is a text that is equal only to the same attribute of the same resource.
    """

    def __init__(
        self, templates: Mapping[str, Mapping[str, Any]], *, partition: str, region: str, account: str
    ) -> None:
        self.partition, self.region, self.account = partition, region, account
        known = {"AWS::Partition": partition, "AWS::Region": region, "AWS::AccountId": account}
        self._stacks = LinkedStacks(templates, leave=self._left, pseudo_parameters=known)

    def resources(self, *type_names: str) -> Iterator[tuple[Address, str, Mapping[str, Any]]]:
        """Address, type and properties of all resources of these types, in the order of the templates."""
        for address in self._stacks.addresses():
            type_name = self._stacks.template(address.stack).resources[address.logical_id].type
            if type_name in type_names:
                yield address, type_name, self._named(self._stacks.properties(address))

    def arn(self, address: Address) -> str:
        """The ARN of a bucket, key, role or cluster."""
        return self._text(Reference(address, "Arn"))

    def name(self, address: Address) -> str:
        """Returns the value of ``Ref``: the name of the resource."""
        return self._text(Reference(address))

    def statements(self, document: Any, policy: str) -> tuple[Statement, ...]:
        """Returns statements that can concern S3, S3 Express or KMS. Raises ``PolicyError`` for an undecidable one."""
        return statements_of(document, policy, _may_concern_data)

    def _left(self, stack: str, template: Template, function: str, argument: Any) -> Any:
        """A text of parts that are references is the text of their names."""
        del stack, template
        if function != "Fn::Join" or holds_unknown(argument):
            return UNKNOWN
        delimiter, parts = argument
        return delimiter.join(self._text(part) if isinstance(part, Reference) else as_text(part) for part in parts)

    def _named(self, value: Any) -> Any:
        if isinstance(value, Reference):
            return self._text(value)
        if isinstance(value, Mapping):
            return {key: self._named(each) for key, each in value.items()}
        return [self._named(each) for each in value] if isinstance(value, list) else value

    def _text(self, reference: Reference) -> str:
        stack, logical_id = reference.target.stack, reference.target.logical_id
        resource = self._stacks.template(stack).resources[logical_id]
        base = f"{stack}-{logical_id}"
        place = f":{self.region}:{self.account}:"
        directory = f"{base.lower()}--{_literal(resource.properties, 'LocationName', 'zone')}--x-s3"
        name = _literal(resource.properties, "Name", base)
        names = {
            "AWS::S3Express::DirectoryBucket": (directory, f"s3express{place}bucket/{directory}"),
            "AWS::S3::Bucket": (base.lower(), f"s3:::{base.lower()}"),
            "AWS::KMS::Key": (logical_id, f"kms{place}key/{logical_id}"),
            "AWS::IAM::Role": (base, f"iam::{self.account}:role/{base}"),
            "AWS::IAM::ManagedPolicy": (f"arn:{self.partition}:iam::{self.account}:policy/{base}", ""),
            "AWS::EKS::Cluster": (name, f"eks{place}cluster/{name}"),
        }
        ref, arn = names.get(resource.type, ("", ""))
        if not reference.attribute and ref:
            return ref
        if reference.attribute == "Arn" and arn:
            return f"arn:{self.partition}:{arn}"
        return f"{stack}.{logical_id}.{reference.attribute or 'Ref'}"


def _literal(properties: Any, key: str, otherwise: str) -> str:
    """The value of a property that is written as a text."""
    value = properties.get(key) if isinstance(properties, Mapping) else None
    return value if isinstance(value, str) else otherwise


def _may_concern_data(statement: Any) -> bool:
    """Whether its actions, as far as they are known, can be some of S3 or KMS."""
    if not isinstance(statement, Mapping) or "Action" not in statement:
        return True
    actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
    prefixes = {str(action).lower().partition(":")[0] for action in actions}
    return bool(prefixes & DATA_SERVICES) or any("*" in each or "?" in each for each in prefixes)
