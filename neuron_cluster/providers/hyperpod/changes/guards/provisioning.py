"""No source states that HyperPod changes the way in which a cluster that exists provisions its nodes."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER

MODE = "NodeProvisioningMode"


class ProvisioningChanged(Guard):
    """A cluster keeps its way of provisioning nodes (`hyperpod.continuous`).

    CloudFormation would update it in place, and the guide of HyperPod does not say that the service accepts it.
    """

    id = "W9084"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-eks.html"
    key = ("hyperpod", "continuous")

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.updated:
            if comparison.type_of(address) != CLUSTER:
                continue
            before, after = (stacks.properties(address).get(MODE) for stacks in (comparison.before, comparison.after))
            if before != after:
                old, new = (str(mode is not None).lower() for mode in (before, after))
                yield Violation(
                    address,
                    f"continuous is {old} in the deployed cluster and {new} in the file; no source states that "
                    "HyperPod accepts the change",
                    f"set continuous: {old}; or deploy it while no job runs, as the stack may roll back",
                )
