"""Packages that nodes of PCS install at their start, in a network without a route to the internet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.orchestrators.slurm.config.cluster import Slurm
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class PackagesWithoutInternet(ConfigRule):
    """Without NAT, the AMI has the clients of the file systems that nodes mount (`slurm.ami_id`).

    Nodes install a client that their AMI lacks: that of Lustre from a repository of FSx, the EFS mount helper from that
    of Amazon Linux. The AMI of `image build` has both. Only a warning: an AMI of your own may have them.

    Without this check PCS terminates every node at its start, since the download fails.
    """

    id = "W2127"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/install-lustre-client.html"
    proposes = ("nat",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        slurm, storage = config.section(Slurm), config.storage
        if slurm is None or slurm.ami_id is None or storage is None or config.network.nat is not Nat.NONE:
            return
        dlami = catalog.dlami(slurm.dlami)
        installs_efs = dlami is not None and dlami.efs_client is not None and storage.efs is not None
        clients = ["the Lustre client"] if storage.lustre is not None else []
        clients += ["the EFS mount helper"] if installs_efs else []
        if clients:
            yield Violation(
                ("slurm", "ami_id"),
                f"nat is none: nodes cannot install {listed(clients)}, which the AMI must have",
                f"make sure that the AMI has {listed(clients)}; or set network.nat: single",
            )
