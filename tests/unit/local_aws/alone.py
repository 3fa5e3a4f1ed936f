"""A life of a stack on the local AWS, in a process that cannot import ``neuron_cluster``: prints its status."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


class Blocked:
    """A finder in front of all others."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] == "neuron_cluster":
            raise ImportError(f"the local AWS imports {name}")


def main() -> None:
    from local_aws.clients import local_client
    from local_aws.server import LocalAws

    with LocalAws() as aws:
        client = local_client("cloudformation", aws.endpoint, "111122223333", "us-west-2")
        vpc = {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/16"}}
        bucket = {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "alone"}}
        stack = client.create_stack(StackName="alone", TemplateBody=_template(Vpc=vpc))["StackId"]
        sys.stdout.write(f"{_status(client, stack)}\n")
        client.update_stack(StackName="alone", TemplateBody=_template(Vpc=vpc, Bucket=bucket))
        sys.stdout.write(f"{_status(client, stack)}\n")
        client.delete_stack(StackName="alone")
        sys.stdout.write(f"{_status(client, stack)}\n")


def _template(**resources: Any) -> str:
    return json.dumps({"Resources": resources})


def _status(client: Any, stack: str) -> str:
    """The status at the end of the operation."""
    while (status := str(client.describe_stacks(StackName=stack)["Stacks"][0]["StackStatus"])).endswith("PROGRESS"):
        time.sleep(0.02)
    return status


if __name__ == "__main__":
    sys.meta_path.insert(0, Blocked())  # type: ignore[arg-type]  # a finder needs no more
    main()
