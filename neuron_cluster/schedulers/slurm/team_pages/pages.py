"""The pages of one team: how its members log in, what its user has, which queues there are, and the first jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.protocol.team_pages import TeamPages
from neuron_cluster.schedulers.slurm.posix_users import posix_name
from neuron_cluster.schedulers.slurm.team_pages.departure import slurm_departure
from neuron_cluster.schedulers.slurm.team_pages.failures import failure_sections
from neuron_cluster.schedulers.slurm.team_pages.files_section import files_section
from neuron_cluster.schedulers.slurm.team_pages.first_jobs import first_jobs_section
from neuron_cluster.schedulers.slurm.team_pages.login_section import administrator_section, login_section
from neuron_cluster.schedulers.slurm.team_pages.queues_section import queues_section
from neuron_cluster.schedulers.slurm.team_pages.starter_scripts import starter_scripts

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster


def slurm_pages(plan: ClusterPlan, slurm: SlurmCluster, team: Team, catalog: Catalog) -> TeamPages:
    """``team`` is one of ``teams``, each of which is a user of the nodes."""
    user = next(each for each in slurm.login.start.users if each.name == posix_name(team.name))
    scripts = starter_scripts(plan, slurm, team, user, catalog)
    return TeamPages(
        cluster=f"the Slurm cluster `{slurm.name}` (Slurm {slurm.version})",
        sections=(
            login_section(plan, slurm, user),
            administrator_section(plan, slurm, team, user),
            files_section(plan, slurm, user),
            queues_section(slurm, team),
            first_jobs_section(slurm, user, scripts),
        ),
        commands_are_for="The commands are for a session on a login node, but those of `aws`.",
        options_note="`--nodes`, `--time` and `--run` set your own size, time limit and program.",
        scripts=scripts,
        failures=failure_sections(slurm, user),
        departure=slurm_departure(slurm, user),
    )
