"""The checks of the local AWS that the toolkit starts: its template rules, as far as AWS enforces them."""

from __future__ import annotations

from local_aws.checks import CallCheck, Check
from local_aws.contract import Call
from neuron_cluster.local_checks import ec2, ecr, eks, fsx, iam, pcs, sagemaker
from neuron_cluster.local_checks.enforcement import reject_by_rule
from neuron_cluster.local_checks.rule_input import REQUEST_READERS
from neuron_cluster.local_checks.templates import reject_template

READERS = (ec2, ecr, eks, fsx, iam, pcs, sagemaker)
"""Importing them fills ``REQUEST_READERS``."""


def check_call(call: Call) -> None:
    """Raises ServiceError for a call that breaks a rule."""
    for rule_input in REQUEST_READERS[call.service, call.operation](call):
        reject_by_rule(call, rule_input)


CHECKS: tuple[Check, ...] = (
    *(CallCheck(service, (operation,), check_call) for service, operation in REQUEST_READERS),
    reject_template,
)
