"""Ids that exist only after a deploy: their placeholders, and the script that replaces them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster

FILL_IN = "fill_in.sh"
ENVIRONMENT_TAG = "neuron-cluster:environment"
NODES, LUSTRE_CLIENTS = "Nodes and their pods", "Machines that mount FSx for Lustre"
"""Descriptions of security groups of the network stack, which have no name tag; a test compares them."""
NODE_GROUP, LUSTRE_GROUP, LUSTRE, EFS, AMI, PARENT = (
    "NODE_SECURITY_GROUP",
    "LUSTRE_SECURITY_GROUP",
    "LUSTRE_FILE_SYSTEM",
    "EFS_FILE_SYSTEM",
    "CUSTOM_AMI",
    "PARENT_IMAGE",
)


class DeployedId(Struct, frozen=True):
    """``placeholder`` is replaced by what the command prints."""

    placeholder: str
    command: str
    """A bash command that prints the id; it may refer to placeholders before it."""


def placeholder(name: str) -> str:
    """Returns the text of an id in a file, which ParallelCluster would not accept as an id."""
    return f"${{{name}}}"


def subnet_id(plan: ClusterPlan, zone_id: str) -> str:
    """Returns the id of the private subnet of a zone: of one that exists, else its placeholder."""
    subnet = plan.network.subnet(SubnetTier.PRIVATE, zone_id)
    known = subnet.subnet_id if subnet is not None else None
    return known or placeholder(_subnet_name(zone_id))


def access_point(name: str) -> str:
    """Placeholder of an access point of the EFS file system."""
    return placeholder(_access_point_name(name))


def zone_ids(slurm: SlurmCluster) -> tuple[str, ...]:
    """Zones of all groups, each once."""
    return tuple(dict.fromkeys(zone for group in slurm.compute_groups for zone in group.zone_ids))


def ids_of(plan: ClusterPlan, slurm: SlurmCluster, catalog: Catalog) -> tuple[DeployedId, ...]:
    """Returns all ids but that of the AMI, which no stack builds."""
    return tuple(_ids_of(plan, slurm, catalog))


def lustre_id(plan: ClusterPlan) -> str | None:
    """Returns the id of the file system or its placeholder; None without one."""
    lustre = plan.storage.lustre if plan.storage is not None else None
    if lustre is None:
        return None
    return lustre.existing.file_system_id if lustre.existing is not None else placeholder(LUSTRE)


def _ids_of(plan: ClusterPlan, slurm: SlurmCluster, catalog: Catalog) -> Iterator[DeployedId]:
    for zone_id in zone_ids(slurm):
        if subnet_id(plan, zone_id) == placeholder(_subnet_name(zone_id)):
            filters = _filters(plan, f"Name=tag:Name,Values=private {zone_id}")
            query = ("--query", "Subnets[].SubnetId", "--output", "text")
            yield DeployedId(_subnet_name(zone_id), shlex.join(("aws", "ec2", "describe-subnets", *filters, *query)))
    yield _group(plan, NODE_GROUP, NODES)
    storage = plan.storage
    if storage is not None and storage.lustre is not None:
        yield _group(plan, LUSTRE_GROUP, LUSTRE_CLIENTS)
        if storage.lustre.existing is None:
            yield _output(plan, LUSTRE, "LustreFileSystem")
    if storage is not None and storage.efs is not None:
        yield _output(plan, EFS, "EfsFileSystem")
        for point in storage.efs.access_points:
            # Several may have one folder. The name is that of the storage stack; a test compares them.
            named = f"AccessPoints[?Name=='{plan.name} {point.name}'].AccessPointId"
            query = ("--query", named, "--output", "text")
            of_system = f'aws efs describe-access-points --file-system-id "${EFS}"'
            yield DeployedId(_access_point_name(point.name), f"{of_system} {shlex.join(query)}")
    dlami = catalog.dlamis.get(slurm.login.image.family)
    if dlami is not None and slurm.parent_ami is None:
        query = ("--query", "Parameter.Value", "--output", "text")
        command = ("aws", "ssm", "get-parameter", "--name", dlami.ssm_parameter, *query)
        yield DeployedId(PARENT, shlex.join(command))


def _subnet_name(zone_id: str) -> str:
    return f"SUBNET_{zone_id.replace('-', '_').upper()}"


def _access_point_name(name: str) -> str:
    return f"EFS_ACCESS_POINT_{name.replace('-', '_').upper()}"


def _filters(plan: ClusterPlan, more: str) -> tuple[str, ...]:
    return ("--filters", f"Name=tag:{ENVIRONMENT_TAG},Values={plan.name}", more)


def _group(plan: ClusterPlan, name: str, description: str) -> DeployedId:
    filters = _filters(plan, f"Name=description,Values={description}")
    query = ("--query", "SecurityGroups[].GroupId", "--output", "text")
    return DeployedId(name, shlex.join(("aws", "ec2", "describe-security-groups", *filters, *query)))


def _output(plan: ClusterPlan, name: str, key: str) -> DeployedId:
    query = ("--query", f"Stacks[0].Outputs[?OutputKey=='{key}'].OutputValue", "--output", "text")
    command = ("aws", "cloudformation", "describe-stacks", "--stack-name", plan.stack_name("storage"), *query)
    return DeployedId(name, shlex.join(command))


SCRIPT = """\
#!/bin/bash
# Replaces the placeholders of {files} by ids of {name}, which must be deployed.
# CUSTOM_AMI: the AMI that `pcluster build-image` made; without it that placeholder stays.
set -euo pipefail
cd "$(dirname "$0")"
export AWS_REGION={region} AWS_DEFAULT_REGION={region}

edits=()
fill() {{
  if [[ ! $2 =~ ^[a-z]+-[0-9a-z]+$ ]]; then
    echo "$1: no single id was found ($2); deploy the network and storage of {name} first; nothing was changed" >&2
    exit 1
  fi
  edits+=(-e "s/\\${{$1}}/$2/g")
}}

if [[ -n ${{CUSTOM_AMI:-}} && ! $CUSTOM_AMI =~ ^ami-[0-9a-f]+$ ]]; then
  echo "CUSTOM_AMI is $CUSTOM_AMI, and not the id of an AMI; nothing was changed" >&2
  exit 1
fi
{lookups}
if [[ -n ${{CUSTOM_AMI:-}} ]]; then fill CUSTOM_AMI "$CUSTOM_AMI"; fi

trap 'rm -f {new_files}' EXIT
for file in {files}; do
  sed "${{edits[@]}}" "$file" >"$file.new"
done
for file in {files}; do
  mv "$file.new" "$file"
done
"""


def fill_in_script(plan: ClusterPlan, ids: Sequence[DeployedId], files: Sequence[str]) -> str:
    """A bash script that needs the AWS command line. It changes both files or none, and may run again."""
    lookups = "\n".join(
        f'{each.placeholder}=$({each.command})\nfill {each.placeholder} "${each.placeholder}"' for each in ids
    )
    new_files = " ".join(f"{file}.new" for file in files)
    return SCRIPT.format(
        files=" ".join(files), new_files=new_files, name=plan.name, region=plan.region, lookups=lookups
    )
