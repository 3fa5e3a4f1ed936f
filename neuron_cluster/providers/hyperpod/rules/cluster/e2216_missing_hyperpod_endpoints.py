from __future__ import annotations

from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.groups import HyperPodGroup, HyperPodSlurmGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class MissingHyperpodEndpoints(Rule):
    """Without NAT, the VPC endpoints include every service that HyperPod nodes call (`network.endpoints`).

    Those that nodes of EKS call too have rule E1007. A VPC that exists has rule E1046 for all of them.

    Without this check instances start and never get ready: HyperPod reports a failed bootstrap, the cluster becomes
    Failed, and the stack rolls back.
    """

    id = "E2216"
    source = (
        "https://github.com/awslabs/awsome-distributed-ai@95b939c: "
        "1.architectures/7.sagemaker-hyperpod-eks/terraform-modules/; the rows of the catalog"
    )
    proposes = ("endpoints",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        network, given = config.network, config.network.listed_endpoints
        hyperpod = config.section(HyperPod)
        if hyperpod is None or network.existing is not None or network.nat is not Nat.NONE:
            return
        if isinstance(network.endpoints, str):  # needed, all
            return
        called = [
            row for row in context.catalog.endpoint_services if _is_called(row, on_slurm=hyperpod.slurm is not None)
        ]
        missing = sorted(row.name for row in called if (row.is_chosen if given is None else row.name not in given))
        if missing:
            place = ("network",) if given is None else ("network", "endpoints")
            add = f"add {listed(missing)}; or " if given is not None else ""
            yield Violation(
                place,
                f"nat is none, and no VPC endpoint reaches {listed(missing)}, which nodes of HyperPod call",
                f"{add}set endpoints: needed",
            )


def _is_called(row: EndpointService, *, on_slurm: bool) -> bool:
    """Whether HyperPod nodes call it, and those of EKS do not (rule E1007)."""
    if on_slurm:
        return HyperPodSlurmGroup.needs_endpoint(row)
    return HyperPodGroup.needs_endpoint(row) and "nodes" not in row.required_by
