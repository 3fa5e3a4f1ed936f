"""The preflight checks of an opened environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.cli.environment import OpenedEnvironment
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.preflight.context import PreflightContext
    from neuron_cluster.findings.finding import Finding


def asked_of(opened: OpenedEnvironment, destination: Destination) -> PreflightContext:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.deploy.bootstrap import qualifier_of
    from neuron_cluster.deploy.preflight.context import PreflightContext
    from neuron_cluster.planning.build_vcpu_use import build_vcpu_use

    vcpus = build_vcpu_use(opened.plan, load_catalog())
    return PreflightContext(opened.plan, destination, opened.locate, vcpus, qualifier_of(opened.project.root))


def account_answers(opened: OpenedEnvironment, destination: Destination) -> list[Finding]:
    """What a deploy would find; none on the local AWS, which a deploy prepares, unless it simulates a new account."""
    from neuron_cluster.deploy.preflight.run import preflight_findings

    return [] if destination.prepares_account else preflight_findings(asked_of(opened, destination))
