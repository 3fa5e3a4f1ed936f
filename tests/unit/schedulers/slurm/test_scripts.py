"""Scripts of Slurm nodes as text and as programs; tests/system runs them under Slurm."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.slurm.node_files import JOBS, SCRIPTS, node_files
from neuron_cluster.schedulers.slurm.node_settings import FILE, node_settings
from neuron_cluster.schedulers.slurm.script_settings import FOLDER, SLURM, script_settings

SHELLCHECK = Path(sys.executable).parent / "shellcheck"
RUN_BY_SLURM = ("Prolog", "Epilog", "TaskProlog", "HealthCheckProgram")


JOB_SCRIPTS = sorted(path.name for path in (SCRIPTS / JOBS).glob("*.sbatch"))


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The files of a node with 16 devices."""
    made = node_settings(load_catalog().instance_types["trn2.48xlarge"], slurm_commands="/usr/bin")
    settings = msgspec.structs.replace(made, device_folder=str(tmp_path))
    for name, text in node_files(settings).items():
        path = tmp_path / "installed" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if text.startswith("#!") else 0o644)
    return tmp_path / "installed"


@pytest.fixture
def node(installed: Path) -> Path:
    """The folder of scripts that Slurm runs."""
    return installed / SLURM


def exports(node: Path, **variables: str) -> list[str]:
    environment = {"PATH": "/usr/bin:/bin", **variables}
    ran = subprocess.run([node / "task_prolog.sh"], env=environment, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout.splitlines()


def test_shellcheck_finds_nothing(installed: Path) -> None:
    scripts = [*sorted(installed.glob("*/*.sh")), *sorted(installed.glob("*/*.sbatch"))]
    assert len(scripts) > len(RUN_BY_SLURM) + len(JOB_SCRIPTS)
    command = [SHELLCHECK, "--shell=bash", "--enable=quote-safe-variables", "--external-sources"]
    command += ["--source-path=SCRIPTDIR", f"--source-path={installed / SLURM}", f"--source-path={installed}"]
    ran = subprocess.run([*command, "--format=gcc", *scripts], capture_output=True, text=True, check=False)
    assert ran.stdout + ran.stderr == ""


def test_settings_name_scripts_that_a_node_has(installed: Path) -> None:
    settings = script_settings()
    for name in RUN_BY_SLURM:
        path = installed / Path(settings[name]).relative_to(FOLDER)
        assert path.stat().st_mode & 0o111, name


@pytest.mark.parametrize("name", JOB_SCRIPTS)
def test_the_head_of_a_job_script_has_its_command_and_options(name: str) -> None:
    head, _, rest = (SCRIPTS / JOBS / name).read_text().partition("\nset -euo pipefail\n")
    assert re.search(rf"^# (\w+=\S+ )?sbatch (--\S+ )+{re.escape(name)}", head, re.MULTILINE)
    assert "\n#SBATCH --job-name=" in head
    assert "#SBATCH" not in rest, "Slurm reads no option after the first command"


@pytest.mark.parametrize("name", [each for each in JOB_SCRIPTS if each != "check_collectives.sbatch"])
def test_a_job_that_is_requeued_appends_to_its_log(name: str) -> None:
    lines = (SCRIPTS / JOBS / name).read_text().splitlines()
    assert {"#SBATCH --requeue", "#SBATCH --open-mode=append"} <= set(lines)


@pytest.mark.parametrize("name", JOB_SCRIPTS)
def test_a_job_does_not_have_the_limits_of_the_session_that_submits_it(name: str) -> None:
    """EFA registers more memory than a session may lock, and Slurm propagates limits by default, srun again."""
    script = (SCRIPTS / JOBS / name).read_text(encoding="utf-8")
    assert "#SBATCH --propagate=NONE\n" in script
    started = re.findall(
        r"^.*\bsrun (?!,).*$", script + (SCRIPTS / JOBS / "training_job.sh").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [line for line in started if not line.lstrip().startswith("#") and "--propagate=NONE" not in line] == []


def test_the_measurement_prints_the_memory_that_it_may_lock(installed: Path) -> None:
    script = f"ulimit -l 8192; exec {sys.executable} {installed}/jobs/check_collectives.py --ranks=2"
    environment = {"PATH": "/usr/bin:/bin", "SLURM_NNODES": "1", "PYTHONPATH": str(installed / "collectives")}
    ran = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("RLIMIT_MEMLOCK (ulimit -l): 8192 KiB\n")
    assert "This job may lock 8192 KiB of memory. nccom-test ends with -12" in ran.stderr


def test_programs_of_charts_are_on_the_node_as_they_are(installed: Path) -> None:
    """The programs have every module that they import next to them."""
    for folder, program in (("training", "launch"), ("collectives", "collectives_report"), ("warmer", "warm_cache")):
        command = [sys.executable, "-c", f"import {program}"]
        subprocess.run(command, cwd=installed / folder, check=True, env={"PYTHONDONTWRITEBYTECODE": "1"})


def test_slurm_runs_each_script_that_is_a_program() -> None:
    settings = script_settings("/scripts")
    named = sorted(Path(settings[name]).name for name in RUN_BY_SLURM)
    assert named == sorted(path.name for path in SCRIPTS.glob("*.sh") if path.read_text().startswith("#!"))


@pytest.mark.parametrize("setting", RUN_BY_SLURM)
def test_the_head_of_a_script_states_when_it_runs(setting: str) -> None:
    text = (SCRIPTS / Path(script_settings("/scripts")[setting]).name).read_text()
    head = text.partition("\nset -u\n")[0]
    assert re.search(rf"^# Setting: {setting}[.,] ?", head, re.MULTILINE)
    assert re.search(r"Run by slurm\w+.* as (root|the user of the job)", head.replace("\n# ", " "))
    assert "\n# Time-out: " in head
    assert re.search(r"(Other status than 0: Slurm|Its status changes nothing)", head)


def test_cores_of_a_job(installed: Path) -> None:
    command = [installed / JOBS / "job_cores.sh"]
    environment = {"PATH": "/usr/bin:/bin"}
    ran = subprocess.run(command, env={**environment, "SLURM_GPUS_ON_NODE": "4"}, capture_output=True, check=True)
    assert ran.stdout == b"16\n"
    ran = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.startswith(b"the job has no Neuron devices: submit it with --exclusive or --gpus-per-node")


def called(installed: Path, call: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A function of the job scripts."""
    text = f". {installed / JOBS / 'job_functions.sh'}; {call}"
    environment = {"PATH": "/usr/bin:/bin", **variables}
    return subprocess.run(["/bin/bash", "-euc", text], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("devices", "port"), [({}, "8000"), ({"SLURM_JOB_GPUS": "4,5,12"}, "8004")])
def test_jobs_on_one_node_have_ports_of_their_own(installed: Path, devices: dict[str, str], port: str) -> None:
    assert called(installed, "own_port 8000", **devices).stdout == f"{port}\n"


def test_a_server_that_only_compiles_has_the_port_of_its_job(installed: Path) -> None:
    """Another job on the node would answer at a port that all have."""
    command = [
        sys.executable,
        "-c",
        "import warm_cache; print(*warm_cache.command_of({'kind': 'vllm', 'args': []}, '/m'))",
    ]
    environment = {"PYTHONDONTWRITEBYTECODE": "1", "WARM_UP_PORT": "8004"}
    ran = subprocess.run(command, cwd=installed / "warmer", env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.endswith(" --port=8004\n")


@pytest.mark.parametrize(
    ("versions", "found"), [({"python3": 0}, "python3"), ({"python3": 1, "python3.12": 0}, "python3.12")]
)
def test_programs_run_with_a_python_that_is_new_enough(
    installed: Path, tmp_path: Path, versions: dict[str, int], found: str
) -> None:
    """``versions``: the status with which each says whether it is."""
    for name, status in versions.items():
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    assert called(installed, "python_program", PATH=str(tmp_path)).stdout == f"{found}\n"


def test_without_such_a_python_the_job_says_what_to_install(installed: Path, tmp_path: Path) -> None:
    ran = called(installed, "python=$(python_program); echo $python", PATH=str(tmp_path))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "set VIRTUAL_ENVIRONMENT, or install python3.11" in ran.stderr


@pytest.mark.parametrize(
    ("devices", "cores"),
    [
        ("0", "0-3"),
        ("3", "12-15"),
        ("0,1,2,3", "0-15"),
        ("4,5,6,7,8,9,10,11", "16-47"),
        ("0,2", "0,1,2,3,8,9,10,11"),
    ],
)
def test_cores_of_the_devices_of_a_step(node: Path, devices: str, cores: str) -> None:
    assert f"export NEURON_RT_VISIBLE_CORES={cores}" in exports(node, SLURM_STEP_GPUS=devices)


@pytest.mark.parametrize("variables", [{}, {"SLURM_STEP_GPUS": ",".join(str(number) for number in range(16))}])
def test_a_step_with_no_devices_or_all_of_them_has_no_list_of_cores(node: Path, variables: dict[str, str]) -> None:
    assert exports(node, **variables) == ["export FI_PROVIDER=efa", "export FI_EFA_USE_DEVICE_RDMA=1"]


def test_a_device_of_one_core_is_one_number(node: Path) -> None:
    text = (node / FILE).read_text()
    (node / FILE).write_text(text.replace("CORES_PER_DEVICE=4", "CORES_PER_DEVICE=1"))
    assert "export NEURON_RT_VISIBLE_CORES=5" in exports(node, SLURM_STEP_GPUS="5")


@pytest.mark.parametrize(("kernel", "is_set"), [("5.10.0-1", True), ("5.15.0-1019-aws", False), ("6.8.0-aws", False)])
def test_fork_safety_of_efa_on_old_kernels(node: Path, tmp_path: Path, kernel: str, *, is_set: bool) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "uname").write_text(f"#!/bin/sh\necho {kernel}\n")
    (programs / "uname").chmod(0o755)
    with (node / FILE).open("a") as settings:
        settings.write(f"PATH={programs}:$PATH\n")
    assert ("export FI_EFA_FORK_SAFE=1" in exports(node)) is is_set


def test_a_compile_cache_of_each_user_is_in_the_home_of_its_record(node: Path, tmp_path: Path) -> None:
    """A session of Session Manager has another HOME, with which jobs are submitted."""
    (tmp_path / "getent").write_text("#!/bin/sh\necho team-x:x:20001:20001::/fsx/home/team-x:/bin/bash\n")
    (tmp_path / "getent").chmod(0o755)
    with (node / FILE).open("a") as settings:
        settings.write(f"PATH={tmp_path}:$PATH COMPILE_CACHE='~/neuron-compile-cache'\n")
    assert "export NEURON_COMPILE_CACHE_URL=/fsx/home/team-x/neuron-compile-cache" in exports(node, HOME="/home/other")


def test_a_node_without_settings_runs_no_job(node: Path) -> None:
    """An AMI of `image build` has the scripts: a node whose lifecycle script did not run has no other sign."""
    (node / FILE).unlink()
    environment = {"PATH": "/usr/bin:/bin", "SLURMD_NODENAME": "n1"}
    ran = subprocess.run([node / "prolog.sh"], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.endswith(f"{node / FILE}: No such file or directory")


FAKE_SRUN = """#!/bin/bash
touch started
while [[ ! -e signalled ]]; do sleep 0.01; done
exit "$(cat signalled)"
"""
TRAINING = """\
export SLURM_JOB_ID=1 SLURM_NNODES=2 SLURM_JOB_USER=me SLURM_GPUS_ON_NODE=16
export NEURON_CLUSTER=$1 CHECKPOINT_DIRECTORY=$PWD/run
. "$NEURON_CLUSTER/jobs/job_functions.sh"
. "$NEURON_CLUSTER/jobs/training_job.sh"
if [[ $2 == early ]]; then python_program() { kill -TERM $$; command -v python3; }; fi
train train.py
"""


@pytest.mark.parametrize(
    ("when", "status_of_srun", "requeued"),
    [("early", "", True), ("while it runs", "75", True), ("while it runs", "143", True), ("while it runs", "1", False)],
)
def test_a_job_that_was_signalled_is_requeued_whatever_its_tasks_had_done(
    when: str, status_of_srun: str, requeued: bool, installed: Path, tmp_path: Path
) -> None:
    """Before the nodes start, and where a task ended by the signal, since its launcher did not listen yet."""
    programs = tmp_path / "programs"
    programs.mkdir()
    given = {
        "srun": FAKE_SRUN,
        "scancel": f"#!/bin/sh\necho {status_of_srun} >signalled\n",
        "scontrol": '#!/bin/sh\necho "$@" >>requeued\n',
    }
    for name, text in given.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (tmp_path / "job.sh").write_text(f"set -euo pipefail\n{TRAINING}")
    job = subprocess.Popen(
        ["bash", "job.sh", str(installed), when],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
        stdout=subprocess.DEVNULL,
    )
    if when != "early":
        while not (tmp_path / "started").exists():
            assert job.poll() is None
        job.send_signal(signal.SIGTERM)
    status = job.wait(60)
    calls = (tmp_path / "requeued").read_text() if (tmp_path / "requeued").exists() else ""
    assert calls == ("requeue Incomplete 1\n" if requeued else "")
    assert status == (0 if requeued else int(status_of_srun))
    assert (tmp_path / "started").exists() == (when != "early")
