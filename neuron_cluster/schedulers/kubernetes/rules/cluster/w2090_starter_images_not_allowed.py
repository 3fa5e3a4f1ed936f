from __future__ import annotations

from collections.abc import Sequence

from local_kubernetes.model.allowed_images import is_allowed
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.front_ends import starter_images


class StarterImagesNotAllowed(Rule):
    """The images of a team have those of neuron-training and neuron-serving (`teams[].images`).

    On the node groups whose queues the team may use, for the SDK release of the environment and the
    frameworks that `neuron.frameworks` lists. With `eks.image_cache`
    pods name the copy in the ECR of the account. Only a warning: a team may have charts and images of its own.

    Without this check `onboard` writes no starter jobs, and pods of both charts are rejected.
    """

    id = "W2090"
    needs = Needs.PLAN
    source = "https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        cluster = plan.kubernetes
        for team in cluster.teams if cluster is not None else ():
            missing = _missing(team, plan, cluster, context.catalog) if team.images and cluster is not None else []
            if missing:
                yield Violation(
                    (*team.path, "images"),
                    f"the bundled charts run {listed(missing)}, which pods of {team.name} may not",
                    f"add {listed(missing)} to images; without a tag an entry allows every release and digest",
                )


def _missing(team: Team, plan: ClusterPlan, cluster: KubernetesPlan, catalog: Catalog) -> Sequence[str]:
    """Repositories, by the names that nodes pull."""
    homes = [each for each in cluster.namespaces if each.name in team.namespaces]
    queued = [(group, cluster.queue_of(group, home.name), home) for group in cluster.node_groups for home in homes]
    usable = [group.name for group, queue, home in queued if queue is not None and home.may_use(queue)]
    groups = [group for group in cluster.node_groups if group.name in usable]
    images = [image for group in groups for image in starter_images(group, plan, catalog)]
    found = ((plan.pulled_as(image.repository), plan.pulled_as(image.image)) for image in images)
    return list(dict.fromkeys(repository for repository, image in found if not _has(team.images, repository, image)))


def _has(images: Sequence[str], repository: str, image: str) -> bool:
    """Returns whether its tag or a digest is allowed: only the lock has the digest, which a check of jobs compares."""
    return is_allowed(image, images) or any(each.startswith(f"{repository}@") for each in images)
