"""Everything that `synth --format parallelcluster` writes."""

from __future__ import annotations

import yaml

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.export import Export, ExportFinding
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
from neuron_cluster.schedulers.slurm.parallelcluster.configuration import cluster_configuration, image_configuration
from neuron_cluster.schedulers.slurm.parallelcluster.finding_specs import NO_SLURM
from neuron_cluster.schedulers.slurm.parallelcluster.ids import FILL_IN, fill_in_script, ids_of
from neuron_cluster.schedulers.slurm.parallelcluster.unexpressed import unexpressed
from neuron_cluster.schedulers.slurm.parallelcluster.violations import violations

PARENT_NOTE = (
    "Its parent is a Neuron DLAMI. It is built in the default VPC: SubnetId and SecurityGroupIds choose another."
)
CLUSTER, IMAGE = "cluster.yaml", "image.yaml"
STEPS = f"""1. Deploy network and storage: docs/slurm.md has the command.
2. `bash {FILL_IN}` replaces the ids of subnets, security groups and file systems.
3. `pcluster build-image --image-id NAME --image-configuration {IMAGE}`, and when it is AVAILABLE
   `CUSTOM_AMI=ami-... bash {FILL_IN}`.
4. `pcluster create-cluster --cluster-name NAME --cluster-configuration {CLUSTER}`"""
SUPPRESSED = """\

   with `--suppress-validators type:EfsIdValidator`: it requires an outbound rule of the mount target, which answers
   without one."""


def export_parallelcluster(plan: ClusterPlan, slurm: SlurmCluster | None, catalog: Catalog) -> Export:
    """Configuration of the cluster and of its AMI, and the script that replaces their placeholders.

    A finding where the environment has no Slurm cluster.
    """
    if slurm is None:
        message = f"{plan.name} has no slurm section, which ParallelCluster needs"
        return Export({}, (ExportFinding(NO_SLURM, ("name",), message, "add the section slurm: docs/slurm.md"),))
    release = catalog.parallelcluster_releases.rows[-1]
    errors = tuple(violations(plan, slurm, release, catalog))
    if errors:
        return Export({}, errors)
    ids = ids_of(plan, slurm, catalog)
    head = f"of {plan.name} for AWS ParallelCluster {release.name}; written by `neuron-cluster synth`.\n"
    has_efs = plan.storage is not None and plan.storage.efs is not None
    steps = STEPS + (SUPPRESSED if has_efs else ".")
    files = {
        CLUSTER: _commented(f"Slurm cluster {head}{steps}", cluster_configuration(plan, slurm, release, catalog)),
        IMAGE: _commented(
            f"AMI {head}{PARENT_NOTE}",
            image_configuration(plan, slurm),
        ),
        FILL_IN: fill_in_script(plan, ids, (CLUSTER, IMAGE)),
    }
    return Export(files, tuple(unexpressed(plan, slurm, release)))


def _commented(comment: str, configuration: object) -> str:
    lines = "".join(f"# {line}\n" for line in comment.splitlines())
    body: str = yaml.safe_dump(configuration, sort_keys=False, width=120)
    return f"{lines}\n{body}"
