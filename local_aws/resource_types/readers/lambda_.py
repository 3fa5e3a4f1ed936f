"""Functions of Lambda."""

from __future__ import annotations

from typing import Any

from local_aws.resource_types.reader import ResourceReader

OF_VPC = ("SubnetIds", "SecurityGroupIds", "Ipv6AllowedForDualStack")


class FunctionReader(ResourceReader):
    type_name = "AWS::Lambda::Function"

    def to_property(self, name: str, value: Any) -> Any:
        if name == "VpcConfig" and value is not None:
            return {member: value[member] for member in OF_VPC if value.get(member) is not None}
        return super().to_property(name, value)
