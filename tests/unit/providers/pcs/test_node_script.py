"""The lifecycle script of a node as text; tests/system runs it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.providers.pcs.node_script import ACCESS_POINTS_OF_ARGUMENT, node_script
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmGroupPlan, SlurmPlan
from neuron_cluster.schedulers.slurm.node_files import node_files

SHELLCHECK = Path(sys.executable).parent / "shellcheck"
LARGEST = 2 * 1024 * 1024
"""Bytes of a lifecycle script; docs.aws.amazon.com/pcs/latest/userguide/cng-node-lifecycle-actions-configure.html."""
STORAGE = {
    "checkpoint_bucket": {},
    "compile_cache": {},
    "lustre": {"availability_zone": "usw2-az4", "capacity_gib": 1200},
    "efs": {"access_points": [{"name": f"point{number}", "path": f"/p{number}"} for number in range(12)]},
}
GROUP = {
    "name": "trn1",
    "instance_type": "trn1.32xlarge",
    "count": {"max": 4},
    "availability_zone": "usw2-az4",
    "root_volume": {"size_gib": 512},
}
FULL = {
    "storage": STORAGE,
    "slurm.dlami": "base_amazon_linux_2023",
    "slurm.groups": [{**GROUP, "instance_type": "trn2.48xlarge", "logical_nc_config": 1}],
}

PlanOf = Callable[..., Any]


def groups(plan_of: PlanOf, edits: dict[str, Any] | None = None) -> tuple[SlurmGroupPlan, ...]:
    slurm = plan_of("slurm-trn1", edits).provider(SlurmPlan)
    assert slurm is not None
    return tuple(slurm.compute_groups)


@pytest.fixture(params=[{"storage": None}, FULL], ids=["nothing", "everything"])
def scripts(request: pytest.FixtureRequest, plan_of: PlanOf) -> dict[str, str]:
    """Returns the scripts by name of the group."""
    return {group.name: node_script(group.start) for group in groups(plan_of, request.param)}


def test_bash_and_shellcheck_accept_it(scripts: dict[str, str], tmp_path: Path) -> None:
    for name, text in scripts.items():
        path = tmp_path / f"{name}.sh"
        path.write_text(text, encoding="utf-8")
        shellcheck = [str(SHELLCHECK), "--shell=bash", "--exclude=SC2034,SC2317", "--format=gcc", str(path)]
        for command in (["bash", "-n", str(path)], shellcheck):
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


def test_pcs_accepts_its_size(scripts: dict[str, str]) -> None:
    """EC2 would not accept it as user data, which is limited to 16 KiB."""
    for text in scripts.values():
        assert 16 * 1024 < len(text.encode()) < LARGEST // 4


def test_each_file_of_the_node_is_in_it_word_for_word(plan_of: PlanOf) -> None:
    for group in groups(plan_of):
        text = node_script(group.start)
        for name, content in node_files(group.start.node).items():
            assert f"cat >/opt/neuron-cluster/{name} <<'END_OF_FILE'\n{content}END_OF_FILE\n" in text


def test_the_steps_have_an_order(plan_of: PlanOf) -> None:
    """Files first: what fails later has its message, and a node whose devices are missing has no use of mounts."""
    _, trn2 = groups(plan_of, FULL)
    text = node_script(trn2.start)
    steps = ["\nrm -rf /opt/neuron-cluster\n", "\nwait_for_devices 16\n", "\nmount_at /fsx lustre ", "\nmount_at /efs/"]
    places = [text.index(step) for step in steps]
    assert places == sorted(places)
    assert "NEURON_LOGICAL_NC_CONFIG=1 > /opt/aws/neuron/logical_nc_config\n" in text


def test_a_group_without_devices_waits_for_none(plan_of: PlanOf) -> None:
    login, _ = groups(plan_of)
    assert "\nwait_for_devices 1" not in node_script(login.start)
    assert login.start.node.devices == 0


def test_efa_interfaces_are_those_of_the_launch_template(plan_of: PlanOf) -> None:
    """A health check that looked for more would drain every node."""
    _, without = groups(plan_of, {"slurm.groups": [{**GROUP, "efa": "off"}]})
    assert (groups(plan_of)[1].start.node.efa_interfaces, without.start.node.efa_interfaces) == (8, 0)


def test_arguments_have_as_many_access_points_as_fit() -> None:
    longest = " ".join(["fsap-0123456789abcdef0"] * ACCESS_POINTS_OF_ARGUMENT)
    assert len(longest) <= 256
    assert 3 + 100 // ACCESS_POINTS_OF_ARGUMENT <= 20  # arguments of a script; access points of the file


def test_a_file_that_would_end_its_here_document_is_an_error(plan_of: PlanOf, monkeypatch: pytest.MonkeyPatch) -> None:
    _, trn1 = groups(plan_of)
    monkeypatch.setattr(
        "neuron_cluster.schedulers.slurm.node_start_script.node_files", lambda _: {"jobs/x": "a\nEND_OF_FILE\n"}
    )
    with pytest.raises(ValueError, match="jobs/x has a line END_OF_FILE"):
        node_script(trn1.start)
