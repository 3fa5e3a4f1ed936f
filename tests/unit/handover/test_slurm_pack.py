"""Packs of teams of a Slurm cluster: what a member reads is what the plan has, and each command is one that exists."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hint_commands import command_error

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.main import main
from neuron_cluster.handover.build_pack import build_pack
from neuron_cluster.handover.departure import departure
from neuron_cluster.handover.named_team import named_team
from neuron_cluster.opened_environment import OpenedEnvironment, opened_environment
from neuron_cluster.protocol.team_pack import MissingJob, Pack, PackJob
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from tests.five_teams import ROOT
from tests.unit.handover.packs import commands_in

FILE = ROOT / "tests" / "fixtures" / "environments" / "slurm-storage.yaml"
SSO_ROLE = (
    "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Vision_0123456789abcdef"
)
WITHOUT_LUSTRE = {"storage.lustre": None}
WITHOUT_STORAGE = {"storage": None}
CPU = {"name": "cpu", "instance_type": "m7i.xlarge", "count": {"max": 4}, "root_volume": {"size_gib": 100}}
BESIDE_EKS = {
    "eks": {
        "version": "1.35",
        "access": {"admins": ["arn:aws:iam::111122223333:role/platform-admin"]},
        "node_groups": [
            {"name": "system", "instance_type": "m7i.large", "count": {"min": 2, "desired": 2, "max": 3}},
            {"name": "inf2", "instance_type": "inf2.xlarge", "count": {"max": 2}, "queue": "jobs"},
        ],
    },
    "teams.0.namespaces": [{"name": "research"}],
    "teams.1.namespaces": [{"name": "product"}],
}
OPTIONS = {
    "configure set": {"profile"},
    "configure sso": {"profile"},
    "sso login": {"profile"},
    "ec2 describe-instances": {"region", "filters", "query", "output"},
    "ssm start-session": {"region", "target", "document-name"},
    "ssm create-document": {"region", "name", "document-type", "content"},
    "iam tag-role": {"role-name", "tags"},
}
"""Commands of the AWS CLI, with the options that its commands have on the page."""
SLURM_PROGRAMS = {"sacct", "sacctmgr", "sbatch", "scancel", "scontrol", "sinfo", "squeue", "srun"}


def opened_with(folder: Path, edits: Mapping[str, Any]) -> OpenedEnvironment:
    """The environment of tests with Slurm; None removes a key."""
    tree = yaml.safe_load(FILE.read_text())
    for path, value in edits.items():
        place: Any = tree
        *parts, last = (int(part) if part.isdigit() else part for part in path.split("."))
        for part in parts:
            place = place[part]
        place[last] = value
        if value is None:
            del place[last]
    file = folder / FILE.name
    file.write_text(yaml.safe_dump(tree))
    return opened_environment(str(file), str(ROOT), is_local=False)


def pack_of(opened: OpenedEnvironment, team: str = "research") -> Pack:
    return build_pack(opened, named_team(opened.plan, team))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedEnvironment:
    return opened_with(tmp_path_factory.mktemp("slurm"), {})


@pytest.fixture(scope="module")
def research(opened: OpenedEnvironment) -> Pack:
    return pack_of(opened)


def commands_of(pack: Pack, program: str) -> list[str]:
    lines = commands_in(pack.files["README.md"] + pack.files["runbook.md"])
    inner = [line.removeprefix("LOGIN=$(").removesuffix(")") if line.startswith("LOGIN=") else line for line in lines]
    return [line for line in dict.fromkeys(inner) if line.split()[0] == program]


def test_the_page_has_user_home_and_queues_of_the_plan(research: Pack, opened: OpenedEnvironment) -> None:
    slurm = opened.plan.provider(SlurmPlan)
    assert slurm is not None
    user = next(each for each in slurm.login.start.users if each.name == "team-research")
    page = research.files["README.md"]
    assert f"`team-research`, with the id {user.uid}" in page
    assert f"export HOME={user.home} PATH=/opt/aws/pcs/scheduler/slurm-25.11/bin:$PATH" in page
    row = "| `training` (default) | trn1, of team research | trn1.32xlarge | 16 x `trainium` | 0 | 4 | yes |"
    assert row in page
    for mount in slurm.login.start.node.mounts:
        assert f"`{mount}`" in page


def test_a_session_has_the_user_of_the_team(research: Pack, opened: OpenedEnvironment) -> None:
    (tag,) = commands_of(research, "aws")[-1:]
    assert tag == "aws iam tag-role --role-name research --tags Key=SSMSessionRunAs,Value=team-research"
    (create,) = [each for each in commands_of(research, "aws") if "create-document" in each]
    arguments = shlex.split(create)
    document = json.loads(arguments[arguments.index("--content") + 1])
    assert document["inputs"] == {"runAsEnabled": True, "runAsDefaultUser": ""}
    product = pack_of(opened, "product").files["README.md"]
    assert "Value=team-product" in product
    assert "team-research" not in product


def test_permission_sets_sign_in_by_name_and_are_not_tagged(tmp_path: Path) -> None:
    """Slurm needs no role of them in the lock."""
    edits = {"teams.0.members": [SSO_ROLE], "teams.0.permission_sets": ["Research"]}
    pack = pack_of(opened_with(tmp_path, edits))
    page = pack.files["README.md"]
    assert "Members with the permission set Vision of IAM Identity Center" in page
    assert "Members with the permission set Research of IAM Identity Center" in page
    assert "aws sso login --profile slurm-storage-research-2" in page
    assert "attribute for access control" in page
    assert "tag-role" not in page


def test_commands_of_the_aws_cli_have_known_options(research: Pack) -> None:
    lines = commands_of(research, "aws")
    assert len(lines) >= 6
    for line in lines:
        _, *arguments = shlex.split(line)
        options = {word.removeprefix("--") for word in arguments if word.startswith("--")}
        assert options <= OPTIONS[" ".join(arguments[:2])], line


def test_commands_of_the_toolkit_parse_and_print_the_files(
    research: Pack, opened: OpenedEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [each for each in commands_of(research, "neuron-cluster") if "workload render" in each]
    assert [error for line in lines if (error := command_error(line))] == []
    printed = set()
    for line in lines:
        arguments = [str(opened.file.path) if word == FILE.name else word for word in shlex.split(line)[1:]]
        assert main(arguments) == 0
        printed.add(capsys.readouterr().out)
    assert printed == {text for name, text in research.files.items() if name.endswith(".sbatch")}


def test_a_shell_accepts_the_commands_and_the_scripts(research: Pack) -> None:
    lines = commands_in(research.files["README.md"] + research.files["runbook.md"])
    scripts = [text for name, text in research.files.items() if name.endswith(".sbatch")]
    for text in ("\n".join(line for line in lines if not line.startswith("cat > ")), *scripts):
        subprocess.run(["bash", "-n"], input=text, text=True, check=True, timeout=60)


def test_jobs_of_a_team_are_on_its_own_group(tmp_path: Path) -> None:
    own, other = (yaml.safe_load(FILE.read_text())["slurm"]["groups"][0] for _ in range(2))
    del other["team"]
    other["name"] = "shared"
    edits = {
        "slurm.groups": [other, own, CPU],
        "slurm.queues": [{"name": "cpu", "groups": ["cpu", "shared"]}, {"name": "training", "groups": ["trn1"]}],
    }
    opened = opened_with(tmp_path, edits)
    places = {
        team: {(job.group, job.queue) for job in pack_of(opened, team).jobs.values() if isinstance(job, PackJob)}
        for team in ("research", "product")
    }
    assert places == {"research": {("trn1", "training")}, "product": {("shared", "cpu")}}


@pytest.mark.parametrize(
    ("edits", "folder"), [({}, "/fsx/home/team-research"), (WITHOUT_LUSTRE, "/efs/tools/team-research")]
)
def test_programs_and_checkpoints_are_in_a_folder_that_all_nodes_see(
    edits: dict[str, Any], folder: str, tmp_path: Path
) -> None:
    pack = pack_of(opened_with(tmp_path, edits))
    script = pack.files["jobs/train_jax.sbatch"]
    assert f"export CHECKPOINT_DIRECTORY={folder}/checkpoints\n" in script
    assert f"set -- {folder}/train.py\n" in script
    assert f"mkdir -p {folder} && cd {folder}" in pack.files["README.md"]


def test_jobs_are_those_whose_frameworks_run_on_the_group(tmp_path: Path) -> None:
    pack = pack_of(opened_with(tmp_path, {}))
    missing = {name: job.reasons for name, job in pack.jobs.items() if isinstance(job, MissingJob)}
    assert list(missing) == ["jobs/serve_vllm.sbatch"]
    assert missing["jobs/serve_vllm.sbatch"][0].startswith("E9419 no framework of serve-vllm runs on trn1 ")
    older = {"neuron": {"sdk": "2.29.1"}, "slurm.dlami": "base_ubuntu_24_04"}
    files = pack_of(opened_with(tmp_path, older)).files
    assert {"jobs/train_torchrun.sbatch", "jobs/serve_vllm.sbatch"} <= set(files)


def test_without_a_shared_file_system_jobs_that_need_one_are_left_out(tmp_path: Path) -> None:
    pack = pack_of(opened_with(tmp_path, WITHOUT_STORAGE))
    assert [name for name in pack.files if name.endswith(".sbatch")] == ["jobs/check_collectives.sbatch"]
    missing = {name: job.reasons for name, job in pack.jobs.items() if isinstance(job, MissingJob)}
    reason = "nodes share no file system; add `storage.lustre` or `storage.efs`"
    assert missing == dict.fromkeys(("jobs/train_jax.sbatch", "jobs/serve_vllm.sbatch"), (reason,))
    page = pack.files["README.md"]
    assert "There is no jobs/train_jax.sbatch: nodes share no file system. Ask the contact" in page
    assert "tail -f" not in page


def test_without_neuron_devices_there_are_no_jobs(tmp_path: Path) -> None:
    edits = {
        "slurm.groups": [{**CPU, "team": "research"}],
        "slurm.queues": [{"name": "cpu", "groups": ["cpu"]}],
        "storage.lustre": None,
    }
    pack = pack_of(opened_with(tmp_path, edits))
    assert set(pack.files) == {"README.md", "index.html", "runbook.md"}
    reasons = {reason for job in pack.jobs.values() if isinstance(job, MissingJob) for reason in job.reasons}
    (reason,) = reasons
    assert reason.startswith("no compute node group has Neuron devices; add ")
    assert (
        "| `cpu` (default) | cpu, of team research | m7i.xlarge | no Neuron devices | 0 | 4 | no |"
        in pack.files["README.md"]
    )


def test_beside_kubernetes_the_pages_are_in_a_folder_of_their_own(tmp_path: Path) -> None:
    pack = pack_of(opened_with(tmp_path, BESIDE_EKS))
    top = {name for name in pack.files if "/" not in name}
    assert top >= {"README.md", "index.html", "runbook.md"}
    assert {name for name in pack.files if name.startswith("slurm/")} == {
        *(f"slurm/{name}" for name in ("README.md", "index.html", "runbook.md")),
        *(f"slurm/jobs/{name}.sbatch" for name in ("check_collectives", "train_jax")),
    }
    assert "[slurm/README.md](slurm/README.md) is the page of the Slurm cluster" in pack.files["README.md"]
    assert "kubectl" not in pack.files["slurm/README.md"]
    spaces = {name: job.namespace for name, job in pack.jobs.items() if isinstance(job, PackJob)}
    assert spaces["slurm/jobs/check_collectives.sbatch"] is None
    assert spaces["smoke-test.yaml"] == "research"


@pytest.mark.parametrize("edits", [{}, WITHOUT_STORAGE, BESIDE_EKS])
def test_links_are_to_files_of_the_pack(edits: dict[str, Any], tmp_path: Path) -> None:
    pack = pack_of(opened_with(tmp_path, edits))
    pages = [name for name in pack.files if name.endswith((".md", ".html"))]
    for page in pages:
        links = re.findall(r"\]\(([^)]+)\)", pack.files[page]) + re.findall(r'href="([^"#]+)"', pack.files[page])
        folder = page.rpartition("/")[0]
        assert {f"{folder}/{each}".lstrip("/") for each in links} <= set(pack.files), page


def test_the_departure_keeps_the_home_and_ends_jobs_first(opened: OpenedEnvironment) -> None:
    found = departure(opened.plan, named_team(opened.plan, "research"), "slurm-storage", opened.catalog)
    assert [(part.kind, part.name) for part in found.removed][:1] == [("user of Slurm nodes", "team-research")]
    assert "budget" in {part.kind for part in found.removed}
    assert [(part.kind, part.name) for part in found.kept] == [
        ("home directory", "/fsx/home/team-research"),
        ("user of Slurm accounting", "team-research"),
        ("compute node group", "trn1"),
    ]
    commands = [command for step in found.steps for command in step.commands]
    deploy = commands.index("neuron-cluster deploy slurm-storage")
    assert [command.split()[-1] for command in commands[:2]] == ["--user=team-research"] * 2
    assert commands.index("sudo rm -r /fsx/home/team-research") > deploy
    (lost,) = [step for step in found.steps if step.deletes_data]
    assert lost.commands == ("sudo rm -r /fsx/home/team-research",)


def test_a_departure_beside_kubernetes_has_both_clusters(tmp_path: Path) -> None:
    opened = opened_with(tmp_path, BESIDE_EKS)
    found = departure(opened.plan, named_team(opened.plan, "research"), "slurm-storage", load_catalog())
    assert {"LocalQueue", "user of Slurm nodes"} <= {part.kind for part in found.removed}
    assert {"namespace", "home directory"} <= {part.kind for part in found.kept}


def test_programs_of_slurm_are_those_that_users_have(research: Pack) -> None:
    programs = {line.split()[0] for line in commands_in(research.files["README.md"] + research.files["runbook.md"])}
    others = {"aws", "neuron-cluster", "cat", "cd", "export", "mkdir", "tail"}
    assert {each for each in programs if not each.startswith("LOGIN=")} - others <= SLURM_PROGRAMS
