"""File systems of FSx for Lustre."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from local_aws.resource_types.reader import ResourceReader, Row, Section, Source

LUSTRE, GROUPS = "LustreConfiguration", "SecurityGroupIds"
RETURNED_ONLY = ("MountName",)


class FileSystemReader(ResourceReader):
    type_name = "AWS::FSx::FileSystem"

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        """FSx returns no security groups: its interfaces have them, whose ids the row has in their place."""
        yield from super().sections(source, physical_id, row)
        yield Section((GROUPS,), functools.partial(self._groups, source, row))

    def to_property(self, name: str, value: Any) -> Any:
        shown = super().to_property(name, value)
        if name == LUSTRE and shown is not None:
            return {member: part for member, part in shown.items() if member not in RETURNED_ONLY}
        return shown

    def _groups(self, source: Source, row: Row) -> dict[str, Any]:
        interfaces = self._of_row(row)[GROUPS]
        answer = self.answer(source, "ec2:DescribeNetworkInterfaces", {"NetworkInterfaceIds": interfaces})
        return {GROUPS: [group["GroupId"] for group in answer["NetworkInterfaces"][0]["Groups"]]}
