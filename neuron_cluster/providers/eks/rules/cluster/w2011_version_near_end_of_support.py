from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.kubernetes_version import KubernetesVersion
from neuron_cluster.compatibility.nearest_software import nearest_ami_release
from neuron_cluster.compatibility.neuron_software import neuron_hosts
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class VersionNearEndOfSupport(Rule):
    """The Kubernetes version is not near the end of standard support (`eks.version`).

    Checked for the date of `--as-of` (default: today); synthesis has no date, so that the same file always produces
    the same templates. Only a warning: extended support is a service that you may want. AMIs of newer versions have
    newer drivers, so that a Neuron chip that newer drivers do not support limits the version of the cluster.

    Without this check AWS reports no error. It bills extended support per hour in addition to the cluster, and
    upgrades the control plane automatically when extended support ends.
    """

    id = "W2011"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html"

    def check(self, context: RuleContext) -> Violations:
        catalog, as_of = context.catalog, context.as_of
        eks = context.environment.config.section(Eks)
        row = catalog.kubernetes_versions.get(eks.version) if eks is not None else None
        if row is None or row.kubectl_layer is None or _lasts(row, catalog, as_of):  # else rules E2001, E2002
            return
        hosts = _on_dropped_chips(row, context.environment, catalog)
        yield Violation(
            ("eks", "version"), f"version is {row.name}, {_end(row, as_of)}", _way_on(row, hosts, catalog, as_of)
        )


def _lasts(row: KubernetesVersion, catalog: Catalog, as_of: date) -> bool:
    """Whether the version has standard support for longer than the limit."""
    return (row.standard_support_ends - as_of).days > catalog.limits["eks_standard_support_left"].require_minimum()


def _end(row: KubernetesVersion, as_of: date) -> str:
    """Returns the support that has ended or ends next, as text that follows the version."""
    if row.extended_support_ends <= as_of:
        return f"whose extended support ended on {row.extended_support_ends}: EKS upgrades such clusters automatically"
    if row.standard_support_ends <= as_of:
        return f"whose standard support ended on {row.standard_support_ends}; extended support is billed in addition"
    days = (row.standard_support_ends - as_of).days
    left = f"{days} days after {as_of}" if days > 1 else f"the day after {as_of}"
    then = "extended support is then billed in addition"
    return f"whose standard support ends on {row.standard_support_ends}, {left}; {then}"


def _way_on(row: KubernetesVersion, hosts: Sequence[tuple[NeuronHost, Chip]], catalog: Catalog, as_of: date) -> str:
    """The nearest newer version with enough support, or the newest that all node groups support."""
    newer = catalog.kubernetes_versions.rows[catalog.kubernetes_versions.rows.index(row) + 1 :]
    ours = [each for each in newer if each.kubectl_layer is not None]
    lasting = next((each for each in ours if _lasts(each, catalog, as_of)), None)
    onward = None
    if lasting is not None:
        between = [each.name for each in newer[: newer.index(lasting)]]
        first = f"first {', then '.join(between)}; " if between else ""
        onward = (
            f"upgrade one minor version at a time, to {lasting.name} ({first}standard support until "
            f"{lasting.standard_support_ends})"
        )
    for below, above in pairwise([row, *ours]):
        if below is lasting:
            break
        left = [(host, chip) for host, chip in hosts if not _drives(above, host, catalog)]
        if left:
            why = f"no known AMI of {above.name} has a driver for {_machines(left)}"
            move = f"use {_others(left)} instances there" + (f", then {onward}" if onward is not None else "")
            if below.extended_support_ends <= as_of:  # EKS upgrades the cluster
                return f"{why}: {move}"
            stop = f"stay at {row.name}" if below is row else f"upgrade to {below.name} and not further"
            return f"{stop} (extended support until {below.extended_support_ends}): {why}; or {move}"
    return onward or "no version of the catalog has longer support: look for a newer release of this toolkit"


def _on_dropped_chips(
    row: KubernetesVersion, environment: ResolvedEnvironment, catalog: Catalog
) -> list[tuple[NeuronHost, Chip]]:
    """Node groups whose Neuron chip only older drivers support, as an AMI of this version does (else rule W5032)."""
    found = []
    for host in neuron_hosts(environment, catalog, None):
        chip = catalog.chips.get(host.instance_type.chip or "")
        if chip is None or chip.driver_below is None or host.is_workstation:
            continue
        if _drives(row, host, catalog):
            found.append((host, chip))
    return found


def _drives(version: KubernetesVersion, host: NeuronHost, catalog: Catalog) -> bool:
    """Whether a known AMI of the version has a driver for the Neuron chip of the host."""
    return nearest_ami_release(host, (), version.name, catalog) is not None


def _machines(left: Sequence[tuple[NeuronHost, Chip]]) -> str:
    return f"{listed(dict.fromkeys(chip.title for _, chip in left))} ({listed(host.name for host, _ in left)})"


def _others(left: Sequence[tuple[NeuronHost, Chip]]) -> str:
    return listed(dict.fromkeys(chip.successor or "other" for _, chip in left), "or")
