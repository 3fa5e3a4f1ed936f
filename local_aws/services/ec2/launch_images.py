"""The image of a launch: an id, made for the processors of the instance type."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.launch_request import launch_data
from local_aws.service import Call
from local_aws.services.ec2.images import known_image, resolved_id
from local_aws.services.ec2.instance_types import architectures

ID_PREFIX = "ami-"


@guard("ec2", "RunInstances")
def require_image(call: Call) -> None:
    """An image that nobody here knows is taken to fit."""
    data, backend = launch_data(call), call.moto_backend("ec2")
    if not data.get("ImageId"):
        return
    image_id = resolved_id(backend, data["ImageId"])
    if not image_id.startswith(ID_PREFIX):
        raise api_error("ec2.image_id", image_id=image_id)
    image, fitting = known_image(backend, image_id), architectures(data.get("InstanceType", ""))
    if image is not None and fitting and image.architecture not in fitting:
        raise api_error("ec2.architecture", names=",".join(fitting), architecture=image.architecture)
