from __future__ import annotations

from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class PackagesWithoutInternet(Rule):
    """Without a route to the internet, the AMI has the Lustre client that nodes of Ubuntu install (`slurm.ami_id`).

    Nodes install a client that their AMI lacks. On Ubuntu that of Lustre is in a repository of FSx, one bucket for all
    Regions. The packages of Amazon Linux, the EFS mount helper too, are in S3 in the Region: the endpoint that E2118
    and E1046 require reaches them. The AMI of `image build` has both clients. Only a warning: an AMI of your own may
    have the client.

    Without this check PCS terminates every node at its start, since the download fails.
    """

    id = "W2127"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/install-lustre-client.html"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        slurm = plan.provider(SlurmPlan)
        if slurm is None or plan.network.has_internet or (slurm.image is not None and slurm.image.own_image is None):
            return
        package = slurm.login.start.lustre_package  # all groups start from one AMI
        if package is not None and package.repository is not None:
            yield Violation(
                (*slurm.path, "ami_id"),
                f"{plan.network.lack_of_internet}, so nodes cannot install the Lustre client, which the AMI must have",
                f"make sure that the AMI has the Lustre client; or {plan.network.internet_edit}",
            )
