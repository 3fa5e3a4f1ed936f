"""Dry runs of EC2: asked, answered, and nothing is done."""

from __future__ import annotations

from moto.core.utils import camelcase_to_underscores, get_service_model
from moto.ec2.responses import EC2Response

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import OPERATIONS, guard


@guard("ec2", *get_service_model("ec2").operation_names, last=True)
def reject_dry_run(call: Call) -> None:
    """moto looks at the flag in some operations only. What the operation itself refuses, a dry run does not come to."""
    if not call.parameters.get("DryRun"):
        return
    in_moto = hasattr(EC2Response, camelcase_to_underscores(call.operation))
    if in_moto or (call.service, call.operation) in OPERATIONS:  # else the call is not known in a dry run either
        raise api_error("ec2.dry_run")
