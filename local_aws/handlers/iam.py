"""Resource types of IAM: roles, managed policies, inline policies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from local_aws.engine.provider import Properties, Resource, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.context_source import ContextSource
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import ServiceResource, ignore_not_found, rollback_on_error
from local_aws.handlers.shapes import call
from local_aws.resource_types.readers.iam import HOLDERS, Holder, holders_of, inline_policy


class Role(GenericHandler):
    type_name = "AWS::IAM::Role"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        before = {policy["PolicyName"] for policy in old.get("Policies") or []}
        after = {policy["PolicyName"]: policy["PolicyDocument"] for policy in new.get("Policies") or []}
        for name in before - after.keys():
            with ignore_not_found():
                client.delete_role_policy(RoleName=physical_id, PolicyName=name)
        for name, document in after.items():
            client.put_role_policy(RoleName=physical_id, PolicyName=name, PolicyDocument=document_text(document))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        self.apply(context, physical_id, properties, {})
        super().remove(context, physical_id, properties)


def document_text(document: Any) -> str:
    """A policy document as the API takes it."""
    return document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)


VERSIONS_KEPT = 5
"""IAM keeps five versions; CloudFormation takes the oldest away before it makes another."""


class ManagedPolicy(GenericHandler):
    type_name = "AWS::IAM::ManagedPolicy"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new["PolicyDocument"] != old["PolicyDocument"]:
            self._delete_versions(context, physical_id, most=VERSIONS_KEPT - 1)
        super().change(context, physical_id, old, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        self._delete_versions(context, physical_id, most=1)
        super().remove(context, physical_id, properties)

    def _delete_versions(self, context: ResourceContext, arn: str, *, most: int) -> None:
        """The oldest ones, but never the default version, until there are as many as ``most``."""
        client = self.client(context)
        versions = client.list_policy_versions(PolicyArn=arn)["Versions"]
        others = [each["VersionId"] for each in versions if not each["IsDefaultVersion"]]
        others.sort(key=lambda version: int(version.removeprefix("v")))
        for version in others[: max(0, len(versions) - most)]:
            client.delete_policy_version(PolicyArn=arn, VersionId=version)


class InlinePolicy(ServiceResource):
    """One document, put into each of its roles, users and groups. The physical id is its name.

    Another stack may put a policy of the same name into other roles: the holders tell the two apart.
    """

    service = "iam"
    type_name = "AWS::IAM::Policy"
    supported = frozenset({"PolicyDocument", "PolicyName", *HOLDERS})
    required = frozenset({"PolicyDocument", "PolicyName"})

    def adopt(self, context: ResourceContext, physical_id: str) -> Resource:
        """Returns the policy as all principals of the account have it under this name."""
        client = self.client(context)
        everyone = ((kind, each) for kind in HOLDERS.values() for each in _all(client, kind))
        return _resource(self._found(context, physical_id, everyone))

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        self.check(context, properties)
        with rollback_on_error() as undo:
            undo.callback(self._delete, context, properties["PolicyName"], holders_of(properties))
            return self._put(context, properties)

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        """A new name is a new policy in the same holders: the old one goes when the new one is in place."""
        self.check(context, new)
        changed = self._put(context, new)
        retained = set(holders_of(new)) if changed.physical_id == resource.physical_id else set()
        self._delete(context, resource.physical_id, set(holders_of(old)) - retained)
        return changed

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        self._delete(context, resource.physical_id, holders_of(properties))

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:
        return self._found(context, resource.physical_id, holders_of(resource.found_by))

    def _found(self, context: ResourceContext, name: str, holders: Iterable[Holder]) -> dict[str, Any]:
        return inline_policy(ContextSource(context), name, holders)

    def _put(self, context: ResourceContext, properties: Properties) -> Resource:
        if not any(holders_of(properties)):
            # Source: guardian/elk-stack#38
            raise not_stabilized("At least one of [Groups,Roles,Users] must be non-empty.", "InvalidRequest")
        name, document = str(properties["PolicyName"]), document_text(properties["PolicyDocument"])
        for holder in holders_of(properties):
            self._call(context, "Put", holder, name, PolicyDocument=document)
        return _resource(properties)

    def _delete(self, context: ResourceContext, name: str, holders: Iterable[Holder]) -> None:
        for holder in holders:
            with ignore_not_found():
                self._call(context, "Delete", holder, name)

    def _call(self, context: ResourceContext, verb: str, holder: Holder, name: str, **more: str) -> dict[str, Any]:
        kind, holder_name = holder
        parameters = {f"{kind}Name": holder_name, "PolicyName": name, **more}
        return call(self.client(context), f"{verb}{kind}Policy", parameters)


def _resource(properties: Properties) -> Resource:
    name = str(properties["PolicyName"])
    return Resource(name, {"Id": name}, {each: properties[each] for each in HOLDERS if each in properties})


def _all(client: Any, kind: str) -> Iterator[str]:
    """Names of all roles, users or groups."""
    for page in client.get_paginator(f"list_{kind.lower()}s").paginate():
        yield from (row[f"{kind}Name"] for row in page[f"{kind}s"])
