"""Life cycle scripts of a HyperPod cluster with Slurm as text: what each group is set up with, and who verifies it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.providers.hyperpod.node_script import controller_settings, launcher, node_script
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmPlan
from neuron_cluster.schedulers.slurm.node_files import node_files
from tests.every_run import in_every_run
from tests.slurm_on_hyperpod import BUCKET, CPU, NAME, TEAMS

SHELLCHECK = Path(sys.executable).parent / "shellcheck"
EDITS: dict[str, dict[str, Any]] = {
    "as shipped": {},
    "no storage": {"storage": None},
    "bucket": {**BUCKET, "hyperpod.groups.1": CPU},
    "teams": {**TEAMS, **BUCKET},
}
PlanOf = Callable[..., Any]


def slurm(plan_of: PlanOf, edits: dict[str, Any] | None = None) -> HyperPodSlurmPlan:
    found = plan_of(NAME, edits).provider(HyperPodSlurmPlan)
    assert isinstance(found, HyperPodSlurmPlan)
    return found


def scripts(plan_of: PlanOf, edits: dict[str, Any] | None = None) -> dict[str, str]:
    """Returns the scripts by name of the group."""
    plan = slurm(plan_of, edits)
    return {group.name: node_script(group, plan) for group in plan.instance_groups}


@pytest.mark.parametrize("name", in_every_run(EDITS, ("no storage", "teams")))
def test_bash_and_shellcheck_accept_the_scripts(plan_of: PlanOf, name: str, tmp_path: Path) -> None:
    """Scripts with everything have each of their parts; those without storage have the fewest."""
    made = scripts(plan_of, EDITS[name]) | {
        "launcher": launcher("s3://bucket/key.sh", "0" * 64, has_bucket=True).replace("{BUCKET}", "bucket")
    }
    for group, text in made.items():
        path = tmp_path / f"{group}.sh"
        path.write_text(text, encoding="utf-8")
        shellcheck = [str(SHELLCHECK), "--shell=bash", "--exclude=SC2034,SC2317", "--format=gcc", str(path)]
        for command in (["bash", "-n", str(path)], shellcheck):
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (ran.returncode, ran.stdout + ran.stderr) == (0, ""), group


def test_the_same_plan_gives_the_same_script(plan_of: PlanOf) -> None:
    assert scripts(plan_of) == scripts(plan_of)


def test_each_file_of_a_node_is_in_its_script_word_for_word(plan_of: PlanOf) -> None:
    plan = slurm(plan_of)
    for group in plan.instance_groups:
        text = node_script(group, plan)
        for name, content in node_files(group.start.node).items():
            assert f"cat >/opt/neuron-cluster/{name} <<'END_OF_FILE'\n{content}END_OF_FILE\n" in text


def test_the_controller_writes_settings_and_nodes_of_jobs_announce_devices(plan_of: PlanOf) -> None:
    made = scripts(plan_of, {"hyperpod.groups.1": CPU})
    assert set(made) == {"controller", "login", "trn1", "prepare"}
    assert [name for name in made if "\nkeep_running neuron-cluster-slurm " in made[name]] == ["controller"]
    assert [name for name in made if "slurm_settings.py" in made[name]] == ["controller"]
    assert [name for name in made if "\nkeep_running neuron-cluster-devices " in made[name]] == ["trn1", "prepare"]
    assert "/node_devices.sh none\n" in made["prepare"]
    assert made["trn1"].endswith("/bin/bash /opt/neuron-cluster/hyperpod/node_devices.sh gpu:trainium:16\n")


def test_neuron_nodes_wait_for_their_devices_before_they_announce_them(plan_of: PlanOf) -> None:
    made = scripts(plan_of, {"hyperpod.groups.1": CPU})
    text = made["trn1"]
    steps = ["\nrm -rf /opt/neuron-cluster\n", "\nwait_for_devices 16\n", "\nkeep_running neuron-cluster-devices "]
    places = [text.index(step) for step in steps]
    assert places == sorted(places)
    assert [name for name in made if "\nwait_for_devices 1" in made[name]] == ["trn1"]


def test_no_script_mounts_what_hyperpod_has_mounted(plan_of: PlanOf) -> None:
    for text in scripts(plan_of).values():
        assert "mount_at" not in text
        assert "\nMOUNTS=/fsx\n" in text, "checks of a node look for it"
    for text in scripts(plan_of, {"storage": None}).values():
        assert "MOUNTS=/fsx" not in text


def test_the_bucket_is_an_argument_where_jobs_have_their_cache_in_it(plan_of: PlanOf) -> None:
    bucket = "\nBUCKET=${1:?}\n"
    assert all(bucket in text and "|$BUCKET|" in text for text in scripts(plan_of, BUCKET).values())
    for edits in ({}, {**TEAMS, **BUCKET}):
        assert not [name for name, text in scripts(plan_of, edits).items() if "$BUCKET" in text or bucket in text]


def test_teams_are_users_of_all_nodes_and_metadata_is_closed_before(plan_of: PlanOf) -> None:
    for text in scripts(plan_of, TEAMS).values():
        users = [line.split() for line in text.splitlines() if line.startswith("add_user ")]
        assert [(name, home) for _, name, _, home in users] == [
            ("team-research", "/fsx/home/team-research"),
            ("team-applied", "/fsx/home/team-applied"),
        ]
        assert text.index("\nclose_metadata /opt") < text.index("\nadd_user team-research ")


def test_homes_are_on_the_root_volume_without_a_file_system(plan_of: PlanOf) -> None:
    for text in scripts(plan_of, {**TEAMS, "storage": None}).values():
        assert " /home/team-research\n" in text


def test_the_controller_has_the_settings_of_scripts_and_those_that_hyperpod_needs(plan_of: PlanOf) -> None:
    plan = slurm(plan_of)
    given = controller_settings(plan)
    settings = given["settings"]
    assert isinstance(settings, dict)
    assert "permit_job_expansion" in settings["SchedulerParameters"].split(",")
    assert (settings["GresTypes"], settings["PrologFlags"]) == ("gpu", "Alloc")
    assert settings["Prolog"].startswith("/opt/neuron-cluster/")
    assert given["folder"] == plan.configuration_folder
    assert given["devices"] == "/dev/neuron"
    assert given["reconfigure"] == ["/opt/slurm/bin/scontrol", "reconfigure"]
    assert json.dumps(given, indent=1) in node_script(plan.controller, plan)


def aws_that_copies(folder: Path, source: Path, *, fails: int = 0) -> None:
    """A program aws whose `s3 cp` gives the file, after some failures; and a sleep that takes no time."""
    tries = folder / "tries"
    text = f"""#!/bin/bash
echo "$*" >>{tries}
[[ $(wc -l <{tries}) -gt {fails} ]] || exit 1
cp {source} "${{@: -1}}"
"""
    for name, program in (("aws", text), ("sleep", "#!/bin/sh\n")):
        (folder / name).write_text(program)
        (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("fails", "changed", "status", "ran"),
    [(0, False, 0, True), (4, False, 0, True), (5, False, 1, False), (0, True, 1, False)],
    ids=["at once", "at the fifth attempt", "never", "another script"],
)
def test_the_launcher_runs_the_script_of_its_digest_only(
    tmp_path: Path, fails: int, changed: bool, status: int, ran: bool
) -> None:
    script = tmp_path / "script.sh"
    script.write_text(f'echo "ran with $*" >{tmp_path}/ran\n')
    digest = hashlib.sha256(script.read_bytes()).hexdigest()
    if changed:
        script.write_text(f"{script.read_text()}echo more\n")
    aws_that_copies(tmp_path, script, fails=fails)
    text = launcher("s3://assets/key.sh", digest, has_bucket=True).replace("{BUCKET}", "checkpoints")
    environment = os.environ | {"PATH": f"{tmp_path}:/usr/bin:/bin", "TMPDIR": str(tmp_path)}
    found = subprocess.run(["bash", "-c", text], env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == status, found.stderr
    assert (tmp_path / "ran").exists() is ran
    if ran:
        assert (tmp_path / "ran").read_text() == "ran with checkpoints\n"
    assert "s3 cp --only-show-errors s3://assets/key.sh" in (tmp_path / "tries").read_text()
    assert [path for path in tmp_path.iterdir() if path.name.startswith("tmp.")] == [], "the copy is deleted"


def test_the_launcher_of_a_group_without_a_bucket_has_no_argument() -> None:
    text = launcher("s3://assets/key.sh", "0" * 64, has_bucket=False)
    assert text.endswith('bash "$script"\n')
    assert "BUCKET" not in text
    assert "<" not in text.replace("<<", ""), "every value is there"
