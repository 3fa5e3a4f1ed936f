"""Packs of teams of ``train-trn1``, and what is read from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.handover.command_place import command_place
from neuron_cluster.handover.named_team import named_team
from neuron_cluster.opened_environment import OpenedEnvironment, opened_environment
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack, build_kubernetes_pack
from tests.five_teams import GROUP, ROOT, team, written_with_teams

SSO_ROLE = (
    "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Research_0123456789abcdef"
)
RESEARCH = team(
    "research",
    members=["arn:aws:iam::111122223333:role/research", SSO_ROLE],
    operators=["arn:aws:iam::111122223333:role/research-operators"],
    permission_sets=["Data-Science"],
    namespaces=[
        {
            "name": "research",
            "service_accounts": ["trainer"],
            "bucket_access": [{"service_account": "trainer", "access": "write"}],
        },
        {"name": "research-test"},
    ],
    quota=[{"node_group": GROUP, "devices": 128, "borrow": 64}],
)
IMAGES = ["public.ecr.aws/neuron/", "111122223333.dkr.ecr.us-west-2.amazonaws.com/small/trainer"]
SMALL = team("small", quota=[{"node_group": GROUP, "devices": 8, "borrow": 0}], images=IMAGES)
GUESTS = {"name": "guests", "members": [], "namespaces": [{"name": "guests"}]}
TEAMS = (RESEARCH, SMALL, GUESTS)


def environment(folder: Path, teams: Sequence[Mapping[str, Any]] = TEAMS, **edits: Any) -> OpenedEnvironment:
    return opened_with(folder, teams, **edits)


def opened_with(folder: Path, teams: Sequence[Mapping[str, Any]], **edits: Any) -> OpenedEnvironment:
    return opened_environment(str(written_with_teams(folder, teams, **edits)), str(ROOT), is_local=False)


def pack_of(opened: OpenedEnvironment, name: str) -> KubernetesPack:
    assert opened.plan.kubernetes is not None
    team = named_team(opened.plan, name)
    return build_kubernetes_pack(opened, opened.plan.kubernetes, team, load_catalog(), command_place(opened))


def objects_in(pack: KubernetesPack) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """File and object."""
    for name, text in pack.files.items():
        if name.endswith(".yaml"):
            yield from ((name, body) for body in yaml.safe_load_all(text))


def commands_in(markdown: str) -> list[str]:
    """Lines of shell blocks, and code spans that are commands."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", markdown, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`((?:kubectl|aws|neuron-cluster) [^`]+)`", markdown)
    return [*(line.strip() for block in blocks for line in block.splitlines()), *spans]


def environment_of(
    folder: Path, name: str, group: str, teams: Sequence[Mapping[str, Any]], **eks: Any
) -> OpenedEnvironment:
    """A shipped environment with a queue for the group, and with these teams and keys of ``eks``."""
    tree = yaml.safe_load((ROOT / "environments" / f"{name}.yaml").read_text())
    (found,) = [each for each in tree["eks"]["node_groups"] if each["name"] == group]
    found["queue"] = "jobs"
    tree["eks"].update(eks)
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump({**tree, "teams": [dict(each) for each in teams]}))
    return opened_environment(str(file), str(ROOT), is_local=False)


def red(group: str, devices: int) -> Mapping[str, Any]:
    """A team with a quota of one group."""
    return team("red", quota=[{"node_group": group, "devices": devices}])
