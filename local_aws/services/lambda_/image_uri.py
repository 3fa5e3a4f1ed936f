"""Container images that Lambda rejects: it takes them from ECR's private registries of its Region.

Source: inferred: the words; https://docs.aws.amazon.com/lambda/latest/dg/images-create.html has the constraint
"""

from __future__ import annotations

import re

from local_aws.guards import guard
from local_aws.service import Call, ServiceError

PRIVATE = re.compile(r"\d{12}\.dkr\.ecr\.(?P<region>[a-z0-9-]+)\.amazonaws\.com(\.cn)?/.+")


@guard("lambda", "CreateFunction", "UpdateFunctionCode")
def require_image(call: Call) -> None:
    given = call.parameters
    image = given.get("Code", given).get("ImageUri", "")
    registry = PRIVATE.fullmatch(image)
    if image and (registry is None or registry["region"] != call.region):
        words = f"Source image {image} is not valid. Provide a valid source image."
        raise ServiceError("InvalidParameterValueException", words)
