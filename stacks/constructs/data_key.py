"""The key of everything that holds data."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.key_policy import log_groups_of, lustre_statement
from stacks.constructs.acknowledgement import acknowledge, in_checkov
from stacks.constructs.key_statements import add_alias, alias_name, for_log_groups

OF_FSX = (
    "aws:PrincipalArn limits the statement to the service-linked roles of FSx in this account, whose names end in an "
    "id that FSx chooses later, and kms:ViaService to their calls of S3."
)


class DataKey(Construct):
    """A customer managed key that the services which read and write the data for us may use.

    Its policy names neither bucket nor file system: both refer to the key, and that would be a cycle.
    """

    def __init__(
        self, scope: Construct, construct_id: str, plan: ClusterPlan, *, removal_policy: cdk.RemovalPolicy
    ) -> None:
        super().__init__(scope, construct_id)
        self.key = kms.Key(
            self,
            "Key",
            description=f"Data of Neuron cluster {plan.name}",
            enable_key_rotation=True,
            pending_window=cdk.Duration.days(30),
            removal_policy=removal_policy,
        )
        add_alias(self.key, alias_name(plan, "data"))
        of_lustre = lustre_statement(plan.partition, plan.region, plan.account)
        self.key.add_to_resource_policy(iam.PolicyStatement.from_json(of_lustre))
        acknowledge(self.key, in_checkov(33, OF_FSX))
        self.key.add_to_resource_policy(for_log_groups(plan, log_groups_of(plan.name)))
