"""AWS::AutoScaling::AutoScalingGroup: of a launch template; any other property is refused."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import RESERVED_PREFIX

NAME_LIMIT = 255
NAME = "AutoScalingGroupName"


class AutoScalingGroup(ServiceResource):
    service = "autoscaling"
    type_name = "AWS::AutoScaling::AutoScalingGroup"
    changed = frozenset(
        {
            "DesiredCapacity",
            "HealthCheckGracePeriod",
            "HealthCheckType",
            "LaunchTemplate",
            "MaxSize",
            "MinSize",
            "NewInstancesProtectedFromScaleIn",
        }
    )
    """Parameters of UpdateAutoScalingGroup under the same name."""
    supported = changed | {NAME, "Tags", "VPCZoneIdentifier"}
    required = frozenset({"LaunchTemplate", "MaxSize", "MinSize", "VPCZoneIdentifier"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = properties.get(NAME) or generated_name(context, NAME_LIMIT)
        tags = self._tags(name, context, properties)
        body = {**self._body(name, properties), **({"Tags": tags} if tags else {})}
        call(self.client(context), "CreateAutoScalingGroup", body)
        undo.callback(self.remove, context, name, properties)
        self._require_instances(context, name)
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - all is sent
        client, row = self.client(context), self._row(context, physical_id)
        call(client, "UpdateAutoScalingGroup", self._body(physical_id, new))
        wanted = self._tags(physical_id, context, new)
        keys = {tag["Key"] for tag in wanted}
        gone = [tag for tag in _own(row["Tags"]) if tag["Key"] not in keys]
        if gone:
            client.delete_tags(Tags=gone)
        if wanted:
            client.create_or_update_tags(Tags=wanted)
        self._require_instances(context, physical_id)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self._row(context, physical_id)
        self.client(context).delete_auto_scaling_group(AutoScalingGroupName=physical_id, ForceDelete=True)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self._row(context, physical_id)
        tags = [{name: tag[name] for name in ("Key", "Value", "PropagateAtLaunch")} for tag in _own(row["Tags"])]
        subnets = row["VPCZoneIdentifier"].split(",")
        return {**present(row, NAME, *self.changed), "VPCZoneIdentifier": subnets, "Tags": tags}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"AutoScalingGroupARN": self._row(context, physical_id)["AutoScalingGroupARN"]}

    def _require_instances(self, context: ResourceContext, name: str) -> None:
        """CloudFormation waits for the smallest number of instances.

        Source: inferred: the words, and that no more are waited for
        """
        row = self._row(context, name)
        if len(row["Instances"]) >= row["MinSize"]:
            return
        rows = self.client(context).describe_scaling_activities(AutoScalingGroupName=name)["Activities"]
        failed = next((each["StatusMessage"] for each in rows if each["StatusCode"] == "Failed"), "")
        sizes = f"{len(row['Instances'])}/{row['MinSize']}/{row['MaxSize']}"
        words = f"Group did not stabilize. {{current/minSize/maxSize}} group size = {{{sizes}}}."
        raise not_stabilized(f"{words} Failed Scaling Activity: {failed}", "NotStabilized")

    def _row(self, context: ResourceContext, name: str) -> dict[str, Any]:
        operation = "DescribeAutoScalingGroups"
        rows = call(self.client(context), operation, {f"{NAME}s": [name]})["AutoScalingGroups"]
        for row in rows:
            return dict(row)
        message = f"AutoScalingGroup name not found - {name}"
        raise ClientError({"Error": {"Code": "NotFound", "Message": message}}, operation)

    def _body(self, name: str, properties: Properties) -> dict[str, Any]:
        subnets = ",".join(properties["VPCZoneIdentifier"])
        return {**present(properties, *self.changed), NAME: name, "VPCZoneIdentifier": subnets}

    def _tags(self, name: str, context: ResourceContext, properties: Properties) -> list[dict[str, Any]]:
        """Those of the stack go on to instances, too; the group's own as each of them says.

        Source: inferred: that tags of the stack do
        """
        own = [(tag["Key"], tag["Value"], tag["PropagateAtLaunch"]) for tag in properties.get("Tags") or []]
        stack = [(key, value, True) for key, value in context.stack_tags.items()]
        of_group = {"ResourceId": name, "ResourceType": "auto-scaling-group"}
        tags = {key: {"Key": key, "Value": value, "PropagateAtLaunch": on} for key, value, on in [*stack, *own]}
        return [{**of_group, **tags[key]} for key in sorted(tags)]


def _own(tags: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Without those of AWS, and in one order."""
    return sorted((dict(t) for t in tags if not t["Key"].startswith(RESERVED_PREFIX)), key=lambda tag: str(tag["Key"]))
