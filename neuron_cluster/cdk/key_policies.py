"""Statements of key policies in the stack of another app, whose account and Region may be known at deploy time only."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.key_policy import logs_statement, lustre_statement


def logs_of_stack(scope: Construct) -> iam.PolicyStatement:
    """Lets CloudWatch Logs encrypt the log groups that CloudFormation names after the stack."""
    stack = cdk.Stack.of(scope)
    name = f"{stack.stack_name}-*"
    return iam.PolicyStatement.from_json(logs_statement(stack.partition, stack.region, stack.account, name))


def lustre_of_account(scope: Construct) -> iam.PolicyStatement:
    """Lets FSx for Lustre read and write an encrypted bucket of the account."""
    stack = cdk.Stack.of(scope)
    return iam.PolicyStatement.from_json(lustre_statement(stack.partition, stack.region, stack.account))
