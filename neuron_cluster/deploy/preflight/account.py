"""Preflight checks of the account that a file names."""

from __future__ import annotations

from neuron_cluster.deploy.bootstrap import qualifier_of
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.run import preflight_findings
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.paths import lock_command
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.planning.build_vcpu_use import build_vcpu_use


def preflight_context(opened: OpenedEnvironment, destination: Destination) -> PreflightContext:
    vcpus = build_vcpu_use(opened.plan, opened.catalog)
    again = lock_command(opened.file.display_name, opened.locks)
    qualifier = qualifier_of(opened.project.root)
    return PreflightContext(opened.plan, destination, opened.locate, opened.catalog, vcpus, qualifier, again)


def account_preflight(opened: OpenedEnvironment, destination: Destination) -> list[Finding]:
    """Findings of a deploy; of a local AWS that the deploy prepares only those about resources that exist."""
    return preflight_findings(preflight_context(opened, destination))
