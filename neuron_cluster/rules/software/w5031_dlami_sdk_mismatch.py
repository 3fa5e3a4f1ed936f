from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.compatibility.neuron_software import neuron_hosts
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.lock.model import Lock
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class DlamiSdkMismatch(Rule):
    """Every DLAMI of the file has the Neuron SDK release of the environment (`dlami`).

    The release is that of the AMI in the lock, else of the newest AMI of the kind that the catalog has seen. Until AWS
    publishes an AMI with a new release, the kind has the release before it. AMIs that are pinned by ami_id can have any
    release and are not compared.

    Without this check AWS reports no error. Models are compiled and tested with another compiler and runtime than the
    file states, and their graphs are in another folder of the compile cache.
    """

    id = "W5031"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("ami_id", "virtual_environment")
    references = ("aws-neuron/aws-neuron-sdk#812",)

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        release = context.environment.config.neuron.sdk
        by_key: dict[KeyPath, list[NeuronHost]] = {}
        for host in neuron_hosts(context.environment, context.catalog, lock):
            if host.sdk not in (None, release):
                by_key.setdefault(host.path, []).append(host)
        for path, hosts in by_key.items():
            first, names = hosts[0], listed(host.name for host in hosts)
            if first.dlami is None:
                continue
            doubt = "" if first.dlami.successor is not None or not first.sdk_doubt else f"; in doubt: {first.sdk_doubt}"
            yield Violation(
                path,
                f"{first.dlami.name} of {names} has Neuron SDK {first.sdk}, but neuron.sdk is {release}{doubt}",
                _way_out(first, first.dlami, context.environment, context.catalog, lock),
            )


def _way_out(
    host: NeuronHost, dlami: Dlami, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None
) -> str:
    release = environment.config.neuron.sdk
    same = [row for row in catalog.dlamis if row.neuron_sdk == release and set(row.families) & set(dlami.families)]
    chosen = _virtual_environment(host, environment)
    alike = [row for row in same if chosen is None or chosen in row.virtual_environments]
    without = "" if alike else " and remove virtual_environment"
    ways = [f"set dlami to {listed((row.name for row in alike or same), 'or')}{without}"] if same else []
    ways.append(f"set neuron.sdk to {host.sdk}")
    ways.append(f"pin an image of {release} with ami_id")
    is_locked = lock is not None and dlami.name in lock.dlamis
    if dlami.successor is None and not is_locked:
        ways.append(f"run `{LOCK_IT}`, which records the AMI of today and its release")
    return ", or ".join(ways)


def _virtual_environment(host: NeuronHost, environment: ResolvedEnvironment) -> str | None:
    """Returns the virtual environment of a workstation; None for any other host."""
    station = next((each for each in environment.workstations if each.path == host.machine_path), None)
    return station.spec.virtual_environment if station is not None else None
