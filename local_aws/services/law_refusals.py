"""Puts the rules before every operation whose calls they can read: what a request says, before what there is."""

from __future__ import annotations

from local_aws.enforcement import ec2, ecr, eks, fsx, iam
from local_aws.enforcement.judgement import refuse_by_rule
from local_aws.enforcement.subject import READINGS
from local_aws.guards import guard
from local_aws.service import Call

READERS = (ec2, ecr, eks, fsx, iam)
"""Importing them fills ``READINGS``."""


def judge_call(call: Call) -> None:
    """Raises ServiceError for a call that breaks a rule."""
    for subject in READINGS[call.service, call.operation](call):
        refuse_by_rule(call, subject)


for _service, _operation in READINGS:
    guard(_service, _operation, first=True)(judge_call)
