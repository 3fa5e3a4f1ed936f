"""Roles, and inline policies, which have no binding: their holders have them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local_aws.resource_types.reader import ResourceReader, Row, Section, Source, absence_ignored

INLINE_POLICY = "AWS::IAM::Policy"
HOLDERS = {"Roles": "Role", "Users": "User", "Groups": "Group"}
"""The word of the API for holders of an inline policy, by property."""
Holder = tuple[str, str]


class RoleReader(ResourceReader):
    type_name = "AWS::IAM::Role"

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        """The row has the names of inline policies; the document of each has a call of its own."""
        yield from super().sections(source, physical_id, row)
        yield Section(("Policies",), functools.partial(self._policies, source, physical_id, row))

    def _policies(self, source: Source, role: str, row: Row) -> dict[str, Any]:
        answers = (_held(source, ("Role", role), name) for name in row["PolicyNames"])
        policies = [{name: answer[name] for name in ("PolicyName", "PolicyDocument")} for answer in answers]
        return {"Policies": policies}


def holders_of(properties: Mapping[str, Any]) -> Iterator[Holder]:
    """Kind and name of everyone whom an inline policy is for."""
    for name, kind in HOLDERS.items():
        for holder in properties.get(name) or []:
            yield kind, holder


def inline_policy(source: Source, name: str, holders: Iterable[Holder]) -> dict[str, Any]:
    """The properties of the policy of this name, as these holders have it. Raises the source's ``absence``.

    Another stack may put a policy of the same name into other roles: the holders distinguish the two.
    """
    shown: dict[str, Any] = {}
    for holder in holders:
        with absence_ignored(source):
            shown["PolicyDocument"] = _held(source, holder, name)["PolicyDocument"]
            shown.setdefault(f"{holder[0]}s", []).append(holder[1])
    if not shown:
        raise source.absence("NoSuchEntity", f"The policy with name {name} cannot be found.", "GetRolePolicy")
    return {"PolicyName": name, **shown}


def _held(source: Source, holder: Holder, name: str) -> dict[str, Any]:
    kind, holder_name = holder
    return source.answer("iam", f"Get{kind}Policy", {f"{kind}Name": holder_name, "PolicyName": name})
