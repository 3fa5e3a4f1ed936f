"""Decisions about a HyperPod cluster with Slurm: groups with their generic resources, partitions, settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE
from neuron_cluster.plan.compute_group_plan import BootstrapPlan, ImagePlan
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.planning.build_teams import build_user_teams
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod, NodeRecovery
from neuron_cluster.providers.hyperpod.config.slurm import CONTROLLER, LOGIN
from neuron_cluster.providers.hyperpod.groups import IMAGE_FAMILY, HyperPodSlurmGroup, slurm_groups
from neuron_cluster.providers.hyperpod.life_cycle_script import script_bucket_name
from neuron_cluster.providers.hyperpod.plan.build_instances import build_machine, physical_name
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmGroupPlan, HyperPodSlurmPlan
from neuron_cluster.schedulers.slurm import node_start_choices as choices
from neuron_cluster.schedulers.slurm.cluster import SlurmQueuePlan
from neuron_cluster.schedulers.slurm.gres import GRES_NAME, gres_of
from neuron_cluster.schedulers.slurm.node_settings import node_settings
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan
from neuron_cluster.schedulers.slurm.script_settings import merged_list, script_settings

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.machine_plan import MachinePlan
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.providers.hyperpod.config.slurm import SlurmView
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

NODE_TYPES = {CONTROLLER: "Controller", LOGIN: "Login"}
COMPUTE = "Compute"
PARAMETERS, PARAMETER_OF_HYPERPOD = "SchedulerParameters", "permit_job_expansion"
"""Without it HyperPod cannot resume jobs.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-lifecycle-best-practices-slurm-what-hyperpod-overrides-in-slurm-conf.html
"""


def build_slurm_plan(
    hyperpod: HyperPod, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
) -> HyperPodSlurmPlan | None:
    """Returns the plan; None without ``slurm``. Raises ``LookupError`` where stage 1 rules were not run before."""
    view, config, ami = hyperpod.slurm_section, environment.config, catalog.hyperpod_amis["slurm"]
    if view is None:
        return None
    controller, login, *groups = (_group(group, environment, network, catalog) for group in slurm_groups(environment))
    role, on_slurm = (catalog.hyperpod_roles[name] for name in ("node", "node_on_slurm"))
    return HyperPodSlurmPlan(
        path=("hyperpod",),
        name=config.name,
        region=config.region,
        zone_id=config.network.zone_ids[0],
        has_recovery=hyperpod.node_recovery is NodeRecovery.AUTOMATIC,
        is_continuous=hyperpod.continuous,
        role_policies=role.managed_policies,
        role_statements=(*role.statements, *on_slurm.statements),
        script_bucket=script_bucket_name(config.name, config.account, config.region),
        version=ami.require_slurm().version,
        configuration_folder=ami.require_slurm().configuration,
        controller=controller,
        login=login,
        groups=tuple(groups),
        queues=_queues(view),
        settings=_settings(),
        teams=build_user_teams(config, lock),
    )


def _queues(view: SlurmView) -> tuple[SlurmQueuePlan, ...]:
    path = ("hyperpod", "groups")
    return tuple(
        SlurmQueuePlan(path, each.name, each.groups, each.default, each.whole_nodes, {}) for each in view.queues
    )


def _settings() -> dict[str, str]:
    """Returns those of the scripts, and what both HyperPod and devices need."""
    ours = script_settings()
    parameters = merged_list(PARAMETER_OF_HYPERPOD, ours[PARAMETERS])
    # Flags that HyperPod's AMI may have stay: slurm_settings.py joins them.
    decided = {PARAMETERS: parameters, "PrologFlags": "Alloc", "GresTypes": GRES_NAME}
    return dict(sorted({**ours, **decided}.items()))


def _group(
    group: HyperPodSlurmGroup, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog
) -> HyperPodSlurmGroupPlan:
    machine, spec, plan = build_machine(group, catalog), group.spec, group.training_plan
    return HyperPodSlurmGroupPlan(
        path=group.path,
        name=group.name,
        physical_name=physical_name(group, environment.config.name, network),
        node_type=COMPUTE if group.runs_jobs else NODE_TYPES[group.name],
        machine=machine,
        image=ImagePlan(IMAGE_FAMILY),
        bootstrap=BootstrapPlan(),
        scaling=group.scaling,
        zone_ids=group.zone_ids,
        team=group.team,
        queue=group.queue,
        settings={},
        start=_start(group, machine, environment, catalog),
        gres=gres_of(known_instance_type(group)) if group.runs_jobs else None,
        min_instances=spec.count.min,
        training_plan_arn=plan.plan_arn if plan is not None else None,
        extra_volume_gib=spec.extra_volume.size_gib if spec.extra_volume is not None else None,
    )


def _start(
    group: HyperPodSlurmGroup, machine: MachinePlan, environment: ResolvedEnvironment, catalog: Catalog
) -> NodeStartPlan:
    """Returns the start of a group: HyperPod has mounted the file system before."""
    config, ami = environment.config, catalog.hyperpod_amis["slurm"].require_slurm()
    has_lustre = choices.has_lustre(config)
    return NodeStartPlan(
        node=node_settings(
            known_instance_type(group),
            slurm_commands=ami.commands,
            efa_interfaces=machine.efa_interfaces,
            mounts=(NODE_LUSTRE.folder,) if has_lustre else (),
            compile_cache=choices.compile_cache(config),
            has_closed_metadata=choices.has_closed_metadata(config),
        ),
        image_user=ami.user,
        has_lustre=has_lustre,
        has_bucket=choices.uses_bucket(config),
        users=choices.team_users(config),
    )
