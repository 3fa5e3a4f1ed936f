"""Names of the outputs of the stack of training jobs, and how a request refers to them."""

from __future__ import annotations

import hashlib

from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SHARED, TrainingJobPlan

BUCKET, KEY_ARN, SECURITY_GROUP = "CheckpointBucket", "KeyArn", "SecurityGroupId"
LUSTRE, LUSTRE_MOUNT = "LustreId", "LustreMountName"


def role_output(owner: str) -> str:
    """Name of the role of a team, or of the shared one: ``RoleTeamResearch``. Outputs have letters and digits alone."""
    return "RoleShared" if owner == SHARED else f"RoleTeam{_words(owner)}"


def policy_output(owner: str) -> str:
    """ARN of the policy with which members of a team submit its jobs; ``shared`` is that of jobs without a team."""
    return f"SubmitPolicy{role_output(owner).removeprefix('Role')}"


def subnet_output(zone_id: str) -> str:
    """``SubnetUsw2Az4``."""
    return f"Subnet{''.join(word.capitalize() for word in zone_id.split('-'))}"


def outputs_of_job(job: TrainingJobPlan) -> tuple[str, ...]:
    """Names of the outputs that its request refers to."""
    lustre = (LUSTRE, LUSTRE_MOUNT) if job.reads_lustre else ()
    subnets = (subnet_output(zone) for zone in job.zone_ids)
    return (role_output(job.owner), BUCKET, KEY_ARN, SECURITY_GROUP, *subnets, *lustre)


def placeholder(output: str) -> str:
    """The text in a request that the output takes the place of."""
    return f"${{{output}}}"


def _words(name: str) -> str:
    """``speech-lab`` is ``SpeechLab`` and four digits of a digest, so that ``speechlab`` is another one."""
    words = "".join(word.capitalize() for word in name.split("-"))
    return words if "-" not in name else f"{words}{hashlib.sha256(name.encode()).hexdigest()[:4]}"
