"""How members of a team log in: a session on a login node, as the user of the team."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.pages.document import Commands, Paragraph, Section

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
    from neuron_cluster.schedulers.slurm.node_start_plan import PosixUser

SESSION_DOCUMENT = "slurm-team"
"""The session document of docs/slurm.md, one for all teams of an account and Region."""
RUN_AS_TAG = "SSMSessionRunAs"
"""Source: https://docs.aws.amazon.com/systems-manager/latest/userguide/session-preferences-run-as.html"""
DOCUMENT = {
    "schemaVersion": "1.0",
    "description": f"Sessions as the user in the tag {RUN_AS_TAG}",
    "sessionType": "Standard_Stream",
    "inputs": {"runAsEnabled": True, "runAsDefaultUser": ""},
}
OF_IDENTITY_CENTER = ":role/aws-reserved/"
"""The part of the ARN of a role that IAM Identity Center manages, which takes no tags of others."""


def login_section(plan: ClusterPlan, slurm: SlurmCluster, user: PosixUser) -> Section:
    session = f'aws ssm start-session --region {plan.region} --target "$LOGIN" --document-name {SESSION_DOCUMENT}'
    return Section(
        "Log in",
        (
            Paragraph(
                "Install the Session Manager plugin of the AWS CLI. A login node has no public address: these commands "
                f"find one and open a session on it, as the user `{user.name}`, which all members of the team share."
            ),
            Commands((f"LOGIN=$({slurm.find_login_node(plan.region)})", session)),
            # The agent sets HOME to a folder of /home, whatever the user has (aws/amazon-ssm-agent#237).
            Paragraph("The session starts with another `HOME`, and without the programs of Slurm. In it, first:"),
            Commands(
                (
                    f"export HOME={user.home} PATH={slurm.login.start.node.slurm_commands}:$PATH",
                    "cd && exec bash",
                    "sinfo",
                )
            ),
            Paragraph(f"A session ends when the login node is replaced{_replacements(slurm)}."),
        ),
    )


def _replacements(slurm: SlurmCluster) -> str:
    """Nodes in an account of SageMaker stay at an update of the environment."""
    return ": after an update of the cluster or its teams" if slurm.login_tag is not None else ""


def administrator_section(plan: ClusterPlan, slurm: SlurmCluster, team: Team, user: PosixUser) -> Section:
    return Section("What an administrator sets once", tuple(_setup(plan, slurm, team, user)))


def _setup(plan: ClusterPlan, slurm: SlurmCluster, team: Team, user: PosixUser) -> Iterator[Paragraph | Commands]:
    content = shlex.quote(json.dumps(DOCUMENT))
    yield Paragraph(
        f"Sessions have the user that the tag `{RUN_AS_TAG}` of the IAM role names. For this account and Region one "
        "session document is enough, for all teams:"
    )
    create = f"aws ssm create-document --region {plan.region} --name {SESSION_DOCUMENT} --document-type Session"
    yield Commands((f"{create} --content {content}",))
    roles = [role.rpartition("/")[2] for role in team.principals if OF_IDENTITY_CENTER not in role]
    if roles:
        yield Paragraph("Each role of the members has the tag:")
        tag = f"--tags Key={RUN_AS_TAG},Value={user.name}"
        yield Commands(tuple(f"aws iam tag-role --role-name {role} {tag}" for role in roles))
    if team.permission_sets or len(roles) < len(team.principals):
        yield Paragraph(
            f"People with a permission set of IAM Identity Center get `{RUN_AS_TAG}` with the value `{user.name}` as "
            "an attribute for access control."
        )
    yield Paragraph(
        f"The roles may call {listed(f'`{action}`' for action in slurm.login_actions)}, and `ssm:StartSession` for the "
        "login nodes and this document alone, with the condition `ssm:SessionDocumentAccessCheck`: with the default "
        "document a member would be `ssm-user`, who may become root."
    )
