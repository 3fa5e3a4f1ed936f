"""AWS::AutoScaling::AutoScalingGroup: its instances, and tags that go on to them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from local_aws.engine.provider import Properties, Resource, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.generic import GenericHandler
from local_aws.resource_types.readers.autoscaling import SUBNETS, own_tags

NAME = "AutoScalingGroupName"


class AutoScalingGroup(GenericHandler):
    type_name = "AWS::AutoScaling::AutoScalingGroup"

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        """Its name is in its tags, too."""
        return super().make(context, {**properties, NAME: self.given(context, properties)[NAME]}, undo)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        super().change(context, physical_id, old, new)
        self._require_instances(context, physical_id)

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - the group's size decides
        if not old:
            self._require_instances(context, physical_id)

    def replace_instances(self, context: ResourceContext, resource: Resource, most: int) -> Iterator[int]:
        client, name = self.client(context), resource.physical_id
        old = [each["InstanceId"] for each in self.row(context, name)["Instances"]]
        for start in range(0, len(old), most):
            batch = old[start : start + most]
            for instance_id in batch:
                client.terminate_instance_in_auto_scaling_group(
                    InstanceId=instance_id, ShouldDecrementDesiredCapacity=False
                )
            self._require_instances(context, name)
            yield len(batch)

    def to_parameter(self, name: str, value: Any) -> Any:
        return ",".join(value) if name == SUBNETS else super().to_parameter(name, value)

    def creation_tags(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        tags = self._tags(properties[NAME], context, properties)
        return {"Tags": tags} if tags else {}

    def set_tags(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        client, wanted = self.client(context), self._tags(physical_id, context, properties)
        keys = {tag["Key"] for tag in wanted}
        gone = [tag for tag in own_tags(self.row(context, physical_id)["Tags"]) if tag["Key"] not in keys]
        if gone:
            client.delete_tags(Tags=gone)
        if wanted:
            client.create_or_update_tags(Tags=wanted)

    def _require_instances(self, context: ResourceContext, name: str) -> None:
        """CloudFormation waits for the smallest number of instances.

        Source: inferred: the words, and that no more are waited for
        """
        row = self.row(context, name)
        if len(row["Instances"]) >= row["MinSize"]:
            return
        rows = self.client(context).describe_scaling_activities(AutoScalingGroupName=name)["Activities"]
        failed = next((each["StatusMessage"] for each in rows if each["StatusCode"] == "Failed"), "")
        sizes = f"{len(row['Instances'])}/{row['MinSize']}/{row['MaxSize']}"
        message = f"Group did not stabilize. {{current/minSize/maxSize}} group size = {{{sizes}}}."
        raise not_stabilized(f"{message} Failed Scaling Activity: {failed}", "NotStabilized")

    def _tags(self, name: str, context: ResourceContext, properties: Properties) -> list[dict[str, Any]]:
        """Returns the tags: those of the stack go on to instances, too; the group's own as each of them says.

        Source: inferred: that tags of the stack do
        """
        own = [(tag["Key"], tag["Value"], tag["PropagateAtLaunch"]) for tag in properties.get("Tags") or []]
        stack = [(key, value, True) for key, value in context.stack_tags.items()]
        of_group = {"ResourceId": name, "ResourceType": "auto-scaling-group"}
        tags = {key: {"Key": key, "Value": value, "PropagateAtLaunch": on} for key, value, on in [*stack, *own]}
        return [{**of_group, **tags[key]} for key in sorted(tags)]
