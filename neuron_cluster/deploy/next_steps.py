"""Steps of a user after a deploy: commands that can be copied, to reach the resources that exist now."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE, WORKSTATION_LUSTRE, lustre_source
from neuron_cluster.deploy.existing import Existing
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.existing import NextStep


def next_steps(plan: ClusterPlan, existing: Existing) -> list[NextStep]:
    """In the order of use: access to what the providers run, sessions on workstations, the file system's mount."""
    of_providers = (step for each in existing.providers for step in each.next_steps(plan))
    return [*of_providers, *_workstations(plan, existing), *_file_systems(existing)]


def _workstations(plan: ClusterPlan, existing: Existing) -> Iterator[NextStep]:
    users = {f"{plan.name}/{each.name}": each.login_user for each in plan.workstations}
    for machine in existing.workstations:
        user = users.get(machine.name)
        login = f" --document-name AWS-StartInteractiveCommand --parameters command='sudo -iu {user}'" if user else ""
        command = f"aws ssm start-session --region {plan.region} --target {machine.id}{login}"
        yield NextStep(f"session on {machine.name}", command)


def _file_systems(existing: Existing) -> Iterator[NextStep]:
    for found in existing.file_systems:
        system = found.file_system
        source = lustre_source(system.dns_name, system.mount_name)
        command = f"sudo mount -t lustre -o {WORKSTATION_LUSTRE.options} {source} {NODE_LUSTRE.folder}"
        yield NextStep(f"mount {system.id} on an instance of the VPC that has the Lustre client", command)
    for shared in existing.efs_file_systems:
        for point in shared.access_points:
            command = f"sudo mount -t efs -o tls,accesspoint={point.id} {shared.id}:/ /mnt"
            yield NextStep(f"mount {point.folder} of {shared.id} on an instance with amazon-efs-utils", command)
