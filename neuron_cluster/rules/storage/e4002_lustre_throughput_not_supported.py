"""FSx for Lustre throughput that the deployment type does not offer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class LustreThroughputNotSupported(ConfigRule):
    """The FSx for Lustre deployment type supports the throughput per TiB (`throughput_mbps_per_tib`).

    Without this check FSx rejects the file system with BadRequest, "PerUnitStorageThroughput: Invalid per unit storage
    throughput", and the storage stack rolls back.
    """

    id = "E4002"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html"
    proposes = ("deployment_type", "throughput_mbps_per_tib")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        row = catalog.lustre_deployment(lustre.deployment_type.value.upper()) if lustre is not None else None
        if lustre is None or row is None or lustre.throughput_mbps_per_tib in (None, *row.throughput_tiers):
            return
        given, deployment = f"throughput_mbps_per_tib is {lustre.throughput_mbps_per_tib}", lustre.deployment_type.value
        path = ("storage", "lustre", "throughput_mbps_per_tib")
        if row.throughput_tiers:
            tiers = listed(row.throughput_tiers, "or")
            yield Violation(path, f"{given}; {deployment} allows {listed(row.throughput_tiers)}", f"write {tiers}")
        else:
            hint = "remove throughput_mbps_per_tib, or set another deployment_type"
            yield Violation(path, f"{given}, but the throughput of {deployment} is fixed", hint)
