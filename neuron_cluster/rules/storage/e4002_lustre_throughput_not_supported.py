from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LustreThroughputNotSupported(Rule):
    """The FSx for Lustre deployment type supports the throughput per TiB (`throughput_mbps_per_tib`).

    Without this check FSx rejects the file system with BadRequest, "PerUnitStorageThroughput: Invalid per unit storage
    throughput", and the storage stack rolls back.
    """

    id = "E4002"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html"
    proposes = ("deployment_type", "throughput_mbps_per_tib")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        row = (
            context.catalog.lustre_deployments.get(lustre.deployment_type.value.upper()) if lustre is not None else None
        )
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
