"""Dead-letter targets that Lambda rejects.

Source: the words are those of Lambda in badmintoncryer/cdk-preflight, pf-lambda-dlq-region and pf-lambda-dlq-service;
inferred: those about FIFO targets, https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
"""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.service import Call, ServiceError

SERVICES = ("sqs", "sns")
WRONG = "Invalid dead letter queue ARN: The"


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration")
def require_target(call: Call) -> None:
    target = call.parameters.get("DeadLetterConfig", {}).get("TargetArn", "")
    if not target:
        return  # none, or the target is removed
    service, region = target.split(":")[2:4]
    words = ""
    if service not in SERVICES:
        words = f"{WRONG} service specified by the TargetArn is not supported for dead letter configuration."
    elif region != call.region:
        of = "must be in the same region as the Lambda function it's associated with."
        words = f"{WRONG} resource specified by the TargetArn {of}"
    elif target.endswith(".fifo"):
        words = f"{WRONG} resource specified by the TargetArn is FIFO, which is not supported."
    if words:
        raise ServiceError("InvalidParameterValueException", words)
