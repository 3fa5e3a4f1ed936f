"""Runs every preflight check of the account, all at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, NoCredentialsError, NoResponseError
from neuron_cluster.deploy.preflight import (
    cdk_bootstrap,
    ebs_key,
    existing_endpoints,
    existing_lustre,
    existing_network,
    existing_storage,
    replication_target,
    reservations,
    resource_quotas,
    spot_role,
    vcpu_quotas,
    zone_offerings,
)
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.registry import registered_operations


class PreflightCheck(Struct, frozen=True):
    """The subject of a check, the IAM actions that it needs, and its function."""

    what: str
    permissions: tuple[str, ...]
    check: Callable[[PreflightContext], Iterator[Finding]]
    is_of_existing: bool = False
    """Whether it is about what no deploy creates, such as resources that exist and zones of EC2.

    It then runs on a local AWS that the deploy prepares, too.
    """


def preflight_checks() -> tuple[PreflightCheck, ...]:
    """In the order in which a new account is set up; those of the providers between the account and capacity."""
    of_providers = (check for each in registered_operations() for check in each.preflight_checks)
    return (
        PreflightCheck(cdk_bootstrap.WHAT, cdk_bootstrap.PERMISSIONS, cdk_bootstrap.check),
        PreflightCheck(vcpu_quotas.WHAT, vcpu_quotas.PERMISSIONS, vcpu_quotas.check),
        PreflightCheck(resource_quotas.WHAT, resource_quotas.PERMISSIONS, resource_quotas.check),
        *(PreflightCheck(each.what, each.permissions, each.check) for each in of_providers),
        PreflightCheck(zone_offerings.WHAT, zone_offerings.PERMISSIONS, zone_offerings.check, is_of_existing=True),
        PreflightCheck(reservations.WHAT, reservations.permissions(), reservations.check),
        PreflightCheck(spot_role.WHAT, spot_role.PERMISSIONS, spot_role.check),
        PreflightCheck(ebs_key.WHAT, ebs_key.PERMISSIONS, ebs_key.check),
        PreflightCheck(replication_target.WHAT, replication_target.PERMISSIONS, replication_target.check),
        PreflightCheck(
            existing_network.WHAT, existing_network.PERMISSIONS, existing_network.check, is_of_existing=True
        ),
        PreflightCheck(
            existing_endpoints.WHAT, existing_endpoints.PERMISSIONS, existing_endpoints.check, is_of_existing=True
        ),
        PreflightCheck(existing_lustre.WHAT, existing_lustre.PERMISSIONS, existing_lustre.check, is_of_existing=True),
        PreflightCheck(
            existing_storage.WHAT, existing_storage.PERMISSIONS, existing_storage.check, is_of_existing=True
        ),
    )


def preflight_findings(context: PreflightContext) -> list[Finding]:
    """Errors and warnings of all checks, in their order; a check without the permissions it needs is W9556.

    Raises ``ToolkitError`` for any other API error, such as throttling.
    """
    is_prepared = context.destination.prepares_account
    checks = [each for each in preflight_checks() if each.is_of_existing or not is_prepared]
    with ThreadPoolExecutor(len(checks)) as pool:
        results = pool.map(lambda check: _run(check, context), checks)
        return [finding for found in results for finding in found]


def _run(check: PreflightCheck, context: PreflightContext) -> list[Finding]:
    found: list[Finding] = []
    try:
        for finding in check.check(context):
            found.append(finding)  # noqa: PERF402 - what was found before an API error is kept
    except (AwsApiError, NoResponseError) as error:
        if isinstance(error, NoCredentialsError) or (isinstance(error, AwsApiError) and not error.is_denied):
            raise
        return [*found, _not_checked(check, context, error)]
    return found


def _not_checked(check: PreflightCheck, context: PreflightContext, error: ToolkitError) -> Finding:
    message = f"{check.what}: not checked in {context.destination.region}, since {error.message}"
    actions = listed(check.permissions)
    hint = f"allow {actions} to the role that deploys, and deploy again; or check it with a role that may"
    return Finding("W9556", context.locate(("account",)), message, hint)
