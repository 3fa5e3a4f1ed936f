"""Every preflight check: `deploy` and `preflight` run the same ones."""

from __future__ import annotations

from neuron_cluster.deploy.preflight import (
    built_charts,
    cdk_bootstrap,
    checks,
    deployer,
    ebs_key,
    existing_endpoints,
    existing_lustre,
    existing_network,
    existing_storage,
    file_checks,
    replication_target,
    reservations,
    reserved_groups,
    resource_quotas,
    spot_role,
    vcpu_quotas,
    zone_offerings,
)
from neuron_cluster.deploy.preflight.check import PreflightCheck, Stage
from neuron_cluster.protocol.preflight import Part
from neuron_cluster.protocol.registry import registered_operations


def preflight_checks() -> tuple[PreflightCheck, ...]:
    """In the order in which a new account is set up."""
    made = (*_of_identity(), *_of_account(), *_of_existing(), *_of_file())
    return (*made, *deployer.permission_checks(made))


def _of_identity() -> tuple[PreflightCheck, ...]:
    return tuple(
        PreflightCheck(Part.ACCOUNT, what, permissions, subjects, check, Stage.IDENTITY)
        for what, permissions, subjects, check in (
            ("ids of examples", (), checks.placeholder_subjects, checks.check_placeholders),
            ("the account of the credentials", (), checks.credential_subjects, checks.check_credentials),
        )
    )


def _of_account() -> tuple[PreflightCheck, ...]:
    """Quotas, capacity and keys, and the checks of providers between account and capacity."""
    of_providers = (
        PreflightCheck(each.part, each.what, each.permissions, each.subjects, each.check)
        for operations in registered_operations()
        for each in operations.preflight_checks
    )
    before = tuple(
        PreflightCheck(part, module.WHAT, module.PERMISSIONS, module.subjects, module.check)
        for part, module in (
            (Part.ACCOUNT, cdk_bootstrap),
            (Part.QUOTAS, vcpu_quotas),
            (Part.QUOTAS, resource_quotas),
        )
    )
    offers = zone_offerings
    return (
        *before,
        *of_providers,
        PreflightCheck(
            Part.CAPACITY, offers.WHAT, offers.PERMISSIONS, offers.subjects, offers.check, is_of_existing=True
        ),
        PreflightCheck(
            Part.CAPACITY,
            reservations.WHAT,
            reservations.permissions(),
            reserved_groups.subjects,
            reservations.check,
        ),
        *(
            PreflightCheck(part, module.WHAT, module.PERMISSIONS, module.subjects, module.check)
            for part, module in (
                (Part.CAPACITY, spot_role),
                (Part.ENCRYPTION, ebs_key),
                (Part.ENCRYPTION, replication_target),
                (Part.IMAGES, built_charts),
            )
        ),
    )


def _of_existing() -> tuple[PreflightCheck, ...]:
    return tuple(
        PreflightCheck(Part.EXISTING, each.WHAT, each.PERMISSIONS, each.subjects, each.check, is_of_existing=True)
        for each in (existing_network, existing_endpoints, existing_lustre, existing_storage)
    )


def _of_file() -> tuple[PreflightCheck, ...]:
    return tuple(
        PreflightCheck(part, what, permissions, subjects, check, stage, is_of_existing=True)
        for part, stage, what, permissions, subjects, check in file_checks.ROWS
    )
