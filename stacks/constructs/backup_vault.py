"""Recovery points of AWS Backup: vault, plan, and what the plan selects."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_backup as backup
from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.backup_plan import BackupPlan, BackupRulePlan, VaultLockPlan
from stacks.constructs.acknowledgement import acknowledge_policies

BACKUP_POLICY = "service-role/AWSBackupServiceRolePolicyForBackup"
BUCKET_POLICY = "AWSBackupServiceRolePolicyForS3Backup"
SELECTION_NAME = 50
"""Characters: https://docs.aws.amazon.com/aws-backup/latest/devguide/API_BackupSelection.html"""


class BackupVault(Construct):
    """The vault is encrypted with the data key, and a redeployed environment gets one of another name.

    ``resources`` are ARNs by name. Each has a selection of its own, since a changed selection is replaced.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        plan: BackupPlan,
        *,
        key_arn: str,
        resources: Mapping[str, str],
        removal_policy: cdk.RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        vault = backup.CfnBackupVault(
            self,
            "Vault",
            backup_vault_name=f"{plan.name}-{_end_of_stack_id()}",
            encryption_key_arn=key_arn,
            lock_configuration=_lock(plan.vault_lock) if plan.vault_lock is not None else None,
        )
        vault.apply_removal_policy(removal_policy)
        self.vault_name = vault.ref
        schedule = backup.CfnBackupPlan(
            self,
            "Plan",
            backup_plan=backup.CfnBackupPlan.BackupPlanResourceTypeProperty(
                backup_plan_name=plan.name, backup_plan_rule=[_rule(rule, vault.ref) for rule in plan.rules]
            ),
        )
        role = self._role(takes_bucket=plan.takes_bucket)
        for name, arn in resources.items():
            backup.CfnBackupSelection(
                self,
                f"Selection {name}",
                backup_plan_id=schedule.ref,
                backup_selection=backup.CfnBackupSelection.BackupSelectionResourceTypeProperty(
                    selection_name=name.replace(" ", "-")[:SELECTION_NAME],
                    iam_role_arn=role.role_arn,
                    resources=[arn],
                ),
            )

    def _role(self, *, takes_bucket: bool) -> iam.Role:
        """It makes recovery points, and restores none: that needs a role of the person who restores."""
        policies = {
            BACKUP_POLICY: "AWS Backup documents no narrower policy and extends this one: a right that is missing "
            "fails backups at night, and no deploy. AWS Backup alone assumes the role."
        }
        if takes_bucket:
            policies[BUCKET_POLICY] = "As for the policy for backups; the rights for S3 are not part of that one."
        role = iam.Role(
            self,
            "Role",
            description="AWS Backup makes recovery points of the environment's data",
            assumed_by=iam.ServicePrincipal("backup.amazonaws.com"),
            managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in policies],
        )
        acknowledge_policies(role, policies)
        return role


def _end_of_stack_id() -> str:
    """The last part of the UUID: the vault of a destroyed environment stays, and names of vaults are unique."""
    uuid = cdk.Fn.select(2, cdk.Fn.split("/", cdk.Aws.STACK_ID))
    return cdk.Fn.select(4, cdk.Fn.split("-", uuid))


def _lock(plan: VaultLockPlan) -> backup.CfnBackupVault.LockConfigurationTypeProperty:
    return backup.CfnBackupVault.LockConfigurationTypeProperty(
        min_retention_days=plan.min_days, max_retention_days=plan.max_days, changeable_for_days=plan.changeable_days
    )


def _rule(plan: BackupRulePlan, vault_name: str) -> backup.CfnBackupPlan.BackupRuleResourceTypeProperty:
    return backup.CfnBackupPlan.BackupRuleResourceTypeProperty(
        rule_name=plan.name,
        target_backup_vault=vault_name,
        schedule_expression=plan.schedule,
        lifecycle=backup.CfnBackupPlan.LifecycleResourceTypeProperty(
            delete_after_days=plan.delete_after_days,
            move_to_cold_storage_after_days=plan.cold_after_days,
            # Source: https://docs.aws.amazon.com/aws-backup/latest/devguide/API_Lifecycle.html: for snapshots of EBS
            opt_in_to_archive_for_supported_resources=True if plan.cold_after_days is not None else None,
        ),
    )
