"""The image of a launch: an id, made for the processors of the instance type."""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.launch_request import launch_data
from local_aws.service import Call, ServiceError
from local_aws.services.ec2.images import known_image, resolved_id
from local_aws.services.ec2.instance_types import architectures

ID_PREFIX = "ami-"


@guard("ec2", "RunInstances")
def require_image(call: Call) -> None:
    """An image that nobody here knows is taken to fit.

    Source: eksctl-io/eksctl#8235 and skypilot-org/skypilot#6315 have the answer of AWS where architectures differ
    """
    data, backend = launch_data(call), call.moto_backend("ec2")
    if not data.get("ImageId"):
        return
    image_id = resolved_id(backend, data["ImageId"])
    if not image_id.startswith(ID_PREFIX):
        # Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html
        raise ServiceError("InvalidAMIID.Malformed", f'Invalid id: "{image_id}" (expecting "ami-...")')
    image, fitting = known_image(backend, image_id), architectures(data.get("InstanceType", ""))
    if image is not None and fitting and image.architecture not in fitting:
        raise ServiceError(
            "InvalidParameterValue",
            f"The architecture '{','.join(fitting)}' of the specified instance type does not match the architecture "
            f"'{image.architecture}' of the specified AMI. Specify an instance type and an AMI that have matching "
            "architectures, and try again. You can use 'describe-instance-types' or 'describe-images' to discover the "
            "architecture of the instance type or AMI.",
        )
