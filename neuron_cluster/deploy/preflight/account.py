"""Preflight checks of the account that a file names, as a deploy and a diff run them."""

from __future__ import annotations

from neuron_cluster.deploy.bootstrap import qualifier_of
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.preflight.check import Stage
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.run import findings_of, preflight_findings
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.paths import lock_command
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.planning.build_vcpu_use import build_vcpu_use


def preflight_context(
    opened: OpenedEnvironment, destination: Destination, accepted_name: str | None = None
) -> PreflightContext:
    """``accepted_name`` is the name of a second environment that may be built after a rename."""
    return PreflightContext(
        plan=opened.plan,
        destination=destination,
        locate=opened.locate,
        catalog=opened.catalog,
        vcpus=build_vcpu_use(opened.plan, opened.catalog),
        qualifier=qualifier_of(opened.project.root),
        lock_again=lock_command(opened.file.display_name, opened.locks),
        placeholder_accounts=opened.catalog.placeholder_accounts.names,
        opened=opened,
        accepted_name=accepted_name,
    )


def deploy_preflight(context: PreflightContext) -> list[Finding]:
    """Everything that stops a deploy to AWS, or may; of the local AWS what exists, and a simulated new account.

    The account is not queried while it may be another one than that of the file.
    """
    return findings_of(Stage.IDENTITY, context, until_found=True) or preflight_findings(context)


def account_preflight(opened: OpenedEnvironment, destination: Destination) -> list[Finding]:
    """Findings of a deploy; of a local AWS that the deploy prepares only those about resources that exist."""
    return preflight_findings(preflight_context(opened, destination))
