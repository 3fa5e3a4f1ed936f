from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.lustre_folders import FOLDERS_MANIFEST, OWNER
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import LUSTRE_CLAIM


class LustreFoldersNotCreated(Rule):
    """A Job creates the FSx for Lustre folders of workloads, with an image that nodes can pull (`eks.image_cache`).

    A new file system belongs to root, and workloads run as user 1000. The image of the Job is in a public registry:
    without NAT it requires `eks.image_cache`, otherwise there is no Job.

    Without this check AWS reports no error. The first checkpoint fails with "Permission denied".
    """

    id = "W5091"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html"

    def check(self, context: RuleContext) -> Violations:
        cluster = context.plan.kubernetes
        if cluster is None:
            return
        made = {manifest.name for manifest in cluster.manifests}
        homes = [each.name for each in cluster.namespaces if LUSTRE_CLAIM in each.claims]
        if homes and any(name.startswith("PersistentVolumeClaim ") for name in made) and FOLDERS_MANIFEST not in made:
            yield Violation(
                (*cluster.path, "image_cache"),
                f"{context.plan.network.lack_of_internet} and image_cache is false, so no Job creates the folders of "
                f"storage.lustre that workloads write to ({', '.join(homes)})",
                f"set {cluster.key('image_cache')}: true; or create them as root, with the owner {OWNER}, from your "
                "own pod",
            )
