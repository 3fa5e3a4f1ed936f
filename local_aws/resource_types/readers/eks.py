"""Clusters and add-ons of EKS."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from local_aws.resource_types.reader import ResourceReader, Row, Section, Source

RETURNED_ONLY = ("VpcId", "ClusterSecurityGroupId")
"""Members of ResourcesVpcConfig that DescribeCluster adds."""
ASSOCIATIONS = "PodIdentityAssociations"


class ClusterReader(ResourceReader):
    type_name = "AWS::EKS::Cluster"

    def to_property(self, name: str, value: Any) -> Any:
        """CloudFormation lists the types of logs that are on; the API sets them in groups of on and off."""
        if name == "ResourcesVpcConfig":
            return {member: each for member, each in value.items() if member not in RETURNED_ONLY}
        if name != "Logging":
            return super().to_property(name, value)
        setups = (value or {}).get("ClusterLogging", [])
        types = [kind for setup in setups if setup["Enabled"] for kind in setup["Types"]]
        return {"ClusterLogging": {"EnabledTypes": [{"Type": kind} for kind in types]}}


class AddonReader(ResourceReader):
    type_name = "AWS::EKS::Addon"

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        """DescribeAddon returns associations by ARN; the role and service account of each has a call of its own."""
        yield from super().sections(source, physical_id, row)
        yield Section((ASSOCIATIONS,), functools.partial(self._associations, source, row))

    def _associations(self, source: Source, row: Row) -> dict[str, Any]:
        rows = []
        for arn in row.get(ASSOCIATIONS) or ():
            named = {"ClusterName": row["ClusterName"], "AssociationId": arn.rsplit("/", 1)[-1]}
            answer = self.answer(source, "DescribePodIdentityAssociation", named)["Association"]
            rows.append({"RoleArn": answer["RoleArn"], "ServiceAccount": answer["ServiceAccount"]})
        return {ASSOCIATIONS: rows}
