"""AWS::SageMaker::Cluster: an update names the groups that are gone, and updates the software of groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.shapes import call

GROUPS, NAME, RELEASE = "InstanceGroups", "InstanceGroupName", "ImageReleaseVersion"


class HyperPodCluster(GenericHandler):
    type_name = "AWS::SageMaker::Cluster"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """CloudFormation waits for the nodes, and deletes groups, and sets releases, with calls of their own."""
        self._require_nodes(context, physical_id)
        before, after = _by_name(old), _by_name(new)
        named, client = {"ClusterName": physical_id}, self.client(context)
        if gone := [name for name in before if name not in after]:
            call(client, "UpdateCluster", {**named, "InstanceGroupsToDelete": gone})
        releases = [
            {NAME: name, RELEASE: group[RELEASE]}
            for name, group in after.items()
            if RELEASE in group and name in before and group[RELEASE] != before[name].get(RELEASE)
        ]
        if releases:
            call(client, "UpdateClusterSoftware", {**named, GROUPS: releases})

    def _require_nodes(self, context: ResourceContext, physical_id: str) -> None:
        """A cluster that failed, and one whose update was taken back, say why."""
        failure = self.row(context, physical_id).get("FailureMessage")
        if failure:
            # Source:
            # https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract-errors.html
            # for the code; inferred: that it is this one.
            raise not_stabilized(failure, "NotStabilized")


def _by_name(properties: Properties) -> dict[str, Mapping[str, Any]]:
    return {group[NAME]: group for group in properties.get(GROUPS, [])}
