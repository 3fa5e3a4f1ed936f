"""The pages of one team: how its members log in, what its user has, which queues there are, and the first jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.protocol.team_pages import TeamPages
from neuron_cluster.providers.pcs.onboarding.departure import slurm_departure
from neuron_cluster.providers.pcs.onboarding.failures import failure_sections
from neuron_cluster.providers.pcs.onboarding.files_section import files_section
from neuron_cluster.providers.pcs.onboarding.first_jobs import first_jobs_section
from neuron_cluster.providers.pcs.onboarding.login_section import administrator_section, login_section
from neuron_cluster.providers.pcs.onboarding.queues_section import queues_section
from neuron_cluster.providers.pcs.onboarding.starter_scripts import starter_scripts
from neuron_cluster.providers.pcs.posix_users import posix_name

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan


def slurm_pages(plan: ClusterPlan, slurm: SlurmPlan, team: Team, catalog: Catalog) -> TeamPages:
    """``team`` is one of ``teams``, each of which is a user of the nodes."""
    user = next(each for each in slurm.login.start.users if each.name == posix_name(team.name))
    scripts = starter_scripts(plan, slurm, team, user, catalog)
    return TeamPages(
        cluster=f"the Slurm cluster `{slurm.name}` (Slurm {slurm.version})",
        sections=(
            login_section(plan, slurm, user),
            administrator_section(plan, team, user),
            files_section(plan, slurm, user),
            queues_section(slurm, team),
            first_jobs_section(slurm, user, scripts),
        ),
        scripts=scripts,
        failures=failure_sections(slurm, user),
        departure=slurm_departure(slurm, user),
    )
