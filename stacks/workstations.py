"""Single EC2 instances for users. Everything here is disposable; home volumes are in the storage stack."""

from __future__ import annotations

from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE, WORKSTATIONS
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from stacks.constructs.neuron_workstation import HomeVolume, NeuronWorkstation
from stacks.constructs.workstation_cache import CacheBucket
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext
from stacks.storage import StorageStack


def build(context: StackContext) -> WorkstationsStack:
    network = context.stack(NETWORK, NetworkStack)
    return WorkstationsStack(context.scope, context.plan, network, context.stack_if_planned(STORAGE, StorageStack))


class WorkstationsStack(EnvironmentStack):
    """One instance, role and launch template for each workstation."""

    def __init__(
        self, scope: Construct, plan: ClusterPlan, network: NetworkStack, storage: StorageStack | None
    ) -> None:
        super().__init__(scope, WORKSTATIONS.stack_key, plan)
        security_group_ids = {SecurityGroupRole.WORKSTATION: network.group_id(SecurityGroupRole.WORKSTATION)}
        for workstation in plan.workstations:
            home = None
            if workstation.home is not None and storage is not None:
                home = HomeVolume(storage.home_id(workstation.home), storage.key_arn)
            NeuronWorkstation(
                self,
                workstation,
                environment=plan,
                subnet_id=network.private_subnet_id(workstation.zone_id),
                security_group_ids=security_group_ids,
                home=home,
                bucket=_bucket(storage),
                efs=storage.efs if storage is not None else None,
                lustre_names=storage.lustre_names if storage is not None else None,
            )


def _bucket(storage: StorageStack | None) -> CacheBucket | None:
    if storage is None or storage.bucket_arn is None:
        return None
    return CacheBucket(storage.bucket_arn, storage.bucket_key_arn)
