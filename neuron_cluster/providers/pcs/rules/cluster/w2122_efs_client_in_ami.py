from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfsClientInAmi(Rule):
    """The AMI has the EFS mount helper where its operating system has no package of it (`slurm.dlami`).

    Access points require amazon-efs-utils. Amazon Linux has a package, which the AMI of `image build` has and nodes
    install at their start; for Ubuntu it is built from source, which `image build` does not do: it fails where the Deep
    Learning AMI has none. Only a warning.

    Without this check PCS terminates every node at its start, since its file systems are not mounted.
    """

    id = "W2122"
    source = "https://docs.aws.amazon.com/efs/latest/ug/installing-amazon-efs-utils.html"
    proposes = ("dlami",)

    def check(self, context: RuleContext) -> Violations:
        slurm, storage = context.environment.config.section(Slurm), context.environment.config.storage
        if slurm is None or storage is None or storage.efs is None:
            return
        dlami = context.catalog.dlamis.get(slurm.dlami)
        if dlami is None or dlami.efs_client is not None:
            return
        lack = f"{dlami.operating_system} has no package of the EFS mount helper, which nodes need for storage.efs"
        own = "build amazon-efs-utils into the AMI"
        if slurm.ami_id is None:
            lack += ", and `image build` does not build it from source"
            own = "write the id of your own AMI, which has it, as ami_id"
        hint = f"{own}; or set dlami: base_amazon_linux_2023, with an AMI built from it"
        yield Violation(("slurm", "dlami"), lack, hint)
