"""Packs of teams of a HyperPod cluster with Slurm: one pack, whose commands find a node in an account of SageMaker."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hint_commands import command_error
from rule_fixture import Case

from neuron_cluster.handover.build_pack import build_pack
from neuron_cluster.handover.named_team import named_team
from neuron_cluster.opened_environment import OpenedEnvironment, opened_environment
from neuron_cluster.protocol.team_pack import Pack, PackJob
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmPlan
from tests.five_teams import ROOT
from tests.slurm_on_hyperpod import NAME, TEAMS
from tests.unit.handover.packs import commands_in


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedEnvironment:
    file = tmp_path_factory.mktemp("hyperpod") / f"{NAME}.yaml"
    file.write_text(Case(NAME, TEAMS).text(), encoding="utf-8")
    return opened_environment(str(file), str(ROOT), is_local=False)


@pytest.fixture(scope="module")
def pack(opened: OpenedEnvironment) -> Pack:
    return build_pack(opened, named_team(opened.plan, "research"))


def test_a_team_has_one_pack_though_two_providers_have_slurm(pack: Pack) -> None:
    assert {name.partition("/")[0] for name in pack.files} == {"README.md", "index.html", "runbook.md", "jobs"}


def test_a_team_of_a_cluster_beside_eks_has_no_pack_of_slurm(tmp_path: Path) -> None:
    """The provider of HyperPod has both schedulers, whichever the file has."""
    namespaces = {"teams": [{**team, "namespaces": [{"name": team["name"]}]} for team in TEAMS["teams"]]}
    file = tmp_path / "hyperpod-trn2.yaml"
    file.write_text(Case("hyperpod-trn2", namespaces).text(), encoding="utf-8")
    opened = opened_environment(str(file), str(ROOT), is_local=False)
    files = build_pack(opened, named_team(opened.plan, "research")).files
    assert "README.md" in files
    assert [name for name in files if name.startswith(("slurm/", "hyperpod/"))] == []


def test_the_page_opens_a_session_on_a_login_node_of_hyperpod(pack: Pack, opened: OpenedEnvironment) -> None:
    slurm = opened.plan.provider(HyperPodSlurmPlan)
    assert slurm is not None
    page = pack.files["README.md"]
    assert f"LOGIN=$({slurm.find_login_node('us-west-2')})" in page
    assert 'aws ssm start-session --region us-west-2 --target "$LOGIN" --document-name slurm-team' in page
    assert "export HOME=/fsx/home/team-research PATH=/opt/slurm/bin:$PATH" in page
    assert "`sagemaker:DescribeCluster` and `sagemaker:ListClusterNodes`, and `ssm:StartSession`" in page
    assert "ec2:" not in page


def test_the_page_says_nothing_of_nodes_that_start_for_a_job(pack: Pack) -> None:
    page = pack.files["README.md"]
    assert "state CF" not in page
    assert "| `training` | trn1 | ml.trn1.32xlarge | 16 x `trainium` | 4 | 4 | no |" in page
    assert "Only an administrator changes their number." in page


def test_each_command_is_one_that_exists(pack: Pack) -> None:
    lines = commands_in(pack.files["README.md"])
    assert [line for line in lines if line.startswith("neuron-cluster workload ") and command_error(line)] == []
    for line in lines:
        assert subprocess.run(["bash", "-n"], input=line, text=True, check=False).returncode == 0, line


def test_the_starter_jobs_are_scripts_of_the_partition(pack: Pack) -> None:
    jobs = [job for job in pack.jobs.values() if isinstance(job, PackJob)]
    assert len(jobs) == 2
    scripts = [text for name, text in pack.files.items() if name.startswith("jobs/")]
    assert all("#SBATCH --partition=training\n" in text for text in scripts)
    assert all("#SBATCH --gpus-per-node=trainium:16\n" in text for text in scripts)
