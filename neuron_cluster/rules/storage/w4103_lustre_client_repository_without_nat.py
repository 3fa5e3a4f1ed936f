from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations

S3 = "s3"


class LustreClientRepositoryWithoutNat(Rule):
    """A workstation that mounts Lustre has a route to the packages of the client (`network.nat`, `network.endpoints`).

    Amazon Linux has its packages in S3, in the Region of the instance; the repository of FSx for Ubuntu is one bucket
    for all Regions.

    Only a warning: the image may have the client.

    Without this check AWS reports no error, and the file system is not mounted.
    """

    id = "W4103"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/install-lustre-client.html"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        if plan.network.has_internet:
            return
        # Endpoints of a VPC that exists are its owner's.
        reaches_s3 = plan.network.existing is not None or any(each.service == S3 for each in plan.network.endpoints)
        for workstation in plan.workstations:
            package = workstation.lustre.package if workstation.lustre is not None else None
            if package is None or (package.repository is None and reaches_s3):
                continue
            hint = f"add {S3} to network.endpoints" if package.repository is None else plan.network.internet_edit
            yield Violation(
                (*workstation.path, "lustre"),
                f"{plan.network.lack_of_internet}, so {workstation.name} does not reach the package repository of the "
                "Lustre client",
                f"{hint}; or set ami_id to an image of yours that has the client",
            )
