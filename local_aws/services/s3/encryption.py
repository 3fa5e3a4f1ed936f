"""Default encryption of buckets: a key belongs to encryption with KMS."""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.service import Call, ServiceError

WITH_KEY = ("aws:kms", "aws:kms:dsse")


@guard("s3", "PutBucketEncryption")
def require_key_of_kms(call: Call) -> None:
    for rule in call.parameters["ServerSideEncryptionConfiguration"]["Rules"]:
        default = rule.get("ApplyServerSideEncryptionByDefault", {})
        if default.get("KMSMasterKeyID") and default.get("SSEAlgorithm") not in WITH_KEY:
            # Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ServerSideEncryptionByDefault.html
            words = f"a KMSMasterKeyID is not applicable if the default sse algorithm is not {' or '.join(WITH_KEY)}"
            raise ServiceError("InvalidArgument", words)
