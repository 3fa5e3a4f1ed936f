"""The default encryption key of EBS in a Region: moto tells none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.kms.key_states import key_error

AWS_KEY = "alias/aws/ebs"
TABLE, ROW = "ebs-encryption", "default-key"


@operation("ec2", "GetEbsDefaultKmsKeyId")
def get_default_key(call: Call) -> Mapping[str, Any]:
    return {"KmsKeyId": call.table(TABLE).get(ROW, AWS_KEY)}


@operation("ec2", "ModifyEbsDefaultKmsKeyId")
def modify_default_key(call: Call) -> Mapping[str, Any]:
    """Takes an id, ARN or alias of a key that is enabled, and tells its ARN."""
    given, kms = call.parameters["KmsKeyId"], call.moto_backend("kms")
    if error := key_error(kms, given):
        raise api_error("ec2.default_key", reason=error.message)
    found = kms.keys.get(kms.any_id_to_key_id(given))
    call.table(TABLE)[ROW] = found.arn if found is not None else given
    return get_default_key(call)


@operation("ec2", "ResetEbsDefaultKmsKeyId")
def reset_default_key(call: Call) -> Mapping[str, Any]:
    call.table(TABLE).pop(ROW, None)
    return get_default_key(call)
