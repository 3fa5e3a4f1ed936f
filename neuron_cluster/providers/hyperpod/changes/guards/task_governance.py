"""Task governance: no Kueue of the toolkit when it comes, and what goes with a compute quota."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from local_kubernetes.model.hyperpod import team_namespace
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.kubernetes_objects import CHART
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.commands import Command
from neuron_cluster.providers.hyperpod.changes.resource_kinds import COMPUTE_QUOTA, SCHEDULER_CONFIG

KUEUE = "kueue"


class KueueBeforeTaskGovernance(Guard):
    """Task governance comes into a cluster without the toolkit's Kueue (`hyperpod.task_governance`).

    The add-on fails in a cluster with another Kueue. A deploy does not uninstall the chart of the toolkit: helm would
    delete the definitions of its objects, with all Workloads and queues.
    """

    id = "E9085"
    key = ("hyperpod", "task_governance")
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-setup-task-governance.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once, at the cluster policy that is added."""
        policy = next((each for each in comparison.added if comparison.type_of(each) == SCHEDULER_CONFIG), None)
        if policy is None:
            return
        if any(_is_kueue(comparison.before, address) for address in sorted(comparison.before.addresses())):
            yield Violation(
                policy,
                "the toolkit's Kueue is deployed, and the add-on of task governance fails in a cluster with another",
                "take three steps: 1. deploy the file without task_governance, queues and teams, which ends all jobs "
                "of queues; 2. `helm uninstall kueue --namespace kueue-system`, and `kubectl get crds -o name | grep "
                f"kueue | xargs kubectl delete`; 3. deploy this file. Or `{Command.DESTROY}` and deploy it",
            )


class ComputeQuotaRemoved(Guard):
    """A team that leaves the file has no data in its namespace (`teams`, `hyperpod.task_governance`).

    HyperPod made the namespace with the compute quota. No source states whether it deletes it with the quota.
    """

    id = "W9086"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-policies-delete.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.removed:
            if comparison.type_of(address) == COMPUTE_QUOTA:
                target = comparison.before.properties(address)["ComputeQuotaTarget"]
                namespace = team_namespace(str(target["TeamName"]))
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} is deleted, and its queue with it; no source states whether the "
                    f"namespace {namespace} stays, with its claims",
                    "copy what is on volumes of claims first: "
                    f"`kubectl get persistentvolumeclaims --namespace {namespace}`",
                )


class GovernancePolicyReplaced(Guard):
    """A deploy replaces neither the cluster policy nor a compute quota (`hyperpod.task_governance`).

    SageMaker fixes name, cluster and team at creation. CloudFormation would delete a compute quota before it makes the
    other one: jobs of the team are stopped, and its namespace may go.
    """

    id = "E9087"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sagemaker-computequota.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.replaced:
            if comparison.type_of(address) in (COMPUTE_QUOTA, SCHEDULER_CONFIG):
                why = why_replaced(comparison, address)
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} would be replaced, and the old one deleted first, because {why}",
                    "undo the edit; or take two steps: 1. deploy the file without hyperpod.task_governance; 2. deploy "
                    "the edited file",
                )


def _is_kueue(stacks: StackSet, address: Address) -> bool:
    resource = stacks.resource(address)
    return bool(resource["Type"] == CHART and resource.get("Properties", {}).get("Release") == KUEUE)
