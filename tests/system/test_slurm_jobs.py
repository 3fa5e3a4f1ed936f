"""Job scripts under a real sbatch. What needs Neuron devices is a replacement: torchrun and trainers of the rehearsal,
nccom-test and vllm of this module.
"""

from __future__ import annotations

import hashlib
import json
import re
import socket
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.schedulers.slurm.cluster import slurm_of
from neuron_cluster.schedulers.slurm.jobs.job import JobOptions
from neuron_cluster.schedulers.slurm.jobs.known_jobs import JOBS
from neuron_cluster.schedulers.slurm.jobs.render import render_job

from .slurm_cluster import SlurmCluster, eventually, free_ports, needs_slurm, slurm_cluster

pytestmark = [pytest.mark.system, pytest.mark.slow, *needs_slurm]

PROGRAMS = Path(__file__).parents[2] / "neuron_cluster" / "rehearsal" / "programs"
ENVIRONMENT = Path(__file__).parents[2] / "environments" / "slurm-trn1.yaml"
TRAINER = str(PROGRAMS / "train.py")
STEPS = 200
COMMENT = r"a \ 'test' # $(id)"
ALL_DEVICES = ",".join(map(str, range(16)))
NCCOM_TEST = """\
#!/bin/bash
# As nccom-test --slurm-mode: starts a process on each node of the job, and prints a table.
for word; do case $word in --slurm-job-id=*) job=${word#*=} ;; esac; done
srun --jobid="$job" --overlap --ntasks-per-node=1 bash -c 'echo rank on $SLURMD_NODENAME with $SLURM_STEP_GPUS'
echo "size(B) count(elems) type time(us) algbw(GB/s) busbw(GB/s)"
echo "1048576 524288 bf16 100 9.77 12.50"
"""
VLLM = """
import http.server, signal, sys
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
port = next(int(word.partition("=")[2]) for word in sys.argv if word.startswith("--port="))
signal.signal(signal.SIGTERM, lambda *_: (print("drained", flush=True), sys.exit(0)))
http.server.HTTPServer(("127.0.0.1", port), Health).serve_forever()
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[SlurmCluster]:
    with slurm_cluster("slurm-trn1", HealthCheckInterval="0") as made:
        made.write_program("python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        yield made


@pytest.fixture(autouse=True)
def without_jobs(cluster: SlurmCluster) -> Iterator[None]:
    """Each test finds the nodes without a job."""
    yield
    cluster.cancel_all()


def submit(cluster: SlurmCluster, script: str, *arguments: str, options: tuple[str, ...] = (), **variables: str) -> str:
    """The id of a job over two nodes, whose log is ``log``; ports are free ones."""
    log = cluster.folder / "log"
    log.unlink(missing_ok=True)
    master, topology, root = map(str, free_ports(3))
    ports = {"MASTER_PORT": master, "TOPOLOGY_PORT": topology, "ROOT_COMMUNICATION_PORT": root}
    return cluster.submit(
        *("--nodes=2", f"--output={log}", *options),
        *(str(cluster.installed / "jobs" / script), *arguments),
        NEURON_CLUSTER=str(cluster.installed),
        PYTHONPATH=f"{cluster.installed}/training:{PROGRAMS}",
        **{f"TRAINING_{name}": port for name, port in ports.items()},
        **variables,
    )


def log(cluster: SlurmCluster) -> str:
    path = cluster.folder / "log"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def reported(text: str, reason: str) -> list[dict[str, object]]:
    """Lines of a trainer, by their reason."""
    lines = [json.loads(line) for line in re.findall(r"^@rehearsal (.*)$", text, re.MULTILINE)]
    return [line for line in lines if line["reason"] == reason]


def trainer(step_seconds: float, *, steps_between_saves: int = 20) -> tuple[str, ...]:
    options = {"steps": STEPS, "step-seconds": step_seconds, "save-seconds": 0, "compile-seconds": 0}
    arguments = (word for name, value in options.items() for word in (f"--{name}", str(value)))
    return (TRAINER, *arguments, "--checkpoint-every", str(steps_between_saves))


def trained_without_a_stop() -> str:
    state = "0" * 64
    for step in range(1, STEPS + 1):
        state = hashlib.sha256(f"{state} {step}".encode()).hexdigest()
    return state


def test_torchrun_over_two_nodes(cluster: SlurmCluster) -> None:
    """Two ranks a node here; on Neuron devices one for each core."""
    cluster.write_program("torchrun", (PROGRAMS / "bin" / "torchrun").read_text(encoding="utf-8"))
    checkpoints = cluster.folder / "torchrun" / "checkpoints"
    variables = {"CHECKPOINT_DIRECTORY": str(checkpoints), "REHEARSAL_RANKS": "2"}
    job = cluster.ended(submit(cluster, "train_torchrun.sbatch", *trainer(0), **variables))
    assert job["JobState"] == "COMPLETED", log(cluster)
    assert "'--nnodes=2', '--nproc_per_node=32', '--node_rank=1'" in log(cluster)
    assert [line["state"] for line in reported(log(cluster), "Trained")] == [trained_without_a_stop()]
    assert len(list((checkpoints / f"step-{STEPS:06d}").glob("rank-*"))) == 4


@pytest.mark.parametrize("requested", [(), ("--gpus-per-node=trainium:4",), ("--ntasks-per-node=32",)])
def test_a_training_has_all_devices_of_its_nodes(cluster: SlurmCluster, requested: tuple[str, ...]) -> None:
    """Whatever was requested: the job has the nodes for itself, and ranks for all of their NeuronCores."""
    cluster.write_program(
        "torchrun", '#!/bin/sh\necho "$2 devices $SLURM_STEP_GPUS cores ${NEURON_RT_VISIBLE_CORES-all}"\n'
    )
    checkpoints = cluster.folder / "devices" / "checkpoints"
    arguments = ("train_torchrun.sbatch", TRAINER)
    job = cluster.ended(submit(cluster, *arguments, options=requested, CHECKPOINT_DIRECTORY=str(checkpoints)))
    assert job["JobState"] == "COMPLETED", log(cluster)
    assert log(cluster).count(f"--nproc_per_node=32 devices {ALL_DEVICES} cores all\n") == 2, log(cluster)


def test_users_have_their_checkpoints_in_one_folder(cluster: SlurmCluster) -> None:
    """Notes of the nodes of a job are next to its checkpoints, where those of another user are."""
    shared = cluster.folder / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "train.py").write_text("print('trained')\n")
    for user in ("daemon", "nobody"):
        variables = {"NEURON_CLUSTER": str(cluster.installed), "CHECKPOINT_DIRECTORY": str(shared / user)}
        options = (f"--uid={user}", "--chdir=/", "--nodes=1", f"--output={shared}/{user}.log")
        script = str(cluster.installed / "jobs" / "train_jax.sbatch")
        # The Python of these tests may be in a folder of root.
        job = cluster.submit(*options, script, str(shared / "train.py"), **variables, PATH="/usr/bin:/bin")
        ended = cluster.ended(job)
        assert ended["JobState"] == "COMPLETED", (shared / f"{user}.log").read_text()
        assert not (shared / f".stop-{user}" / job).exists(), "the job has ended"


def test_a_stopped_job_is_requeued_and_goes_on_from_its_checkpoint(cluster: SlurmCluster) -> None:
    """SIGTERM to the batch script, as --signal sends it before the time limit."""
    checkpoints = cluster.folder / "jax" / "checkpoints"
    job = submit(cluster, "train_jax.sbatch", *trainer(0.05), CHECKPOINT_DIRECTORY=str(checkpoints))
    eventually(lambda: reported(log(cluster), "Saved"), bool)
    cluster.run("scancel", "--batch", "--signal=TERM", job)
    eventually(lambda: cluster.job(job)["Restarts"], lambda restarts: restarts == "1")
    ended = cluster.ended(job)
    assert ended["JobState"] == "COMPLETED", log(cluster)
    first, second = log(cluster).split("the training has stopped")
    (begun,), (resumed,) = reported(first, "Resumed"), reported(second, "Resumed")
    assert (begun["step"], resumed["step"]) == (0, reported(first, "Saved")[-1]["step"])
    assert [line["state"] for line in reported(log(cluster), "Trained")] == [trained_without_a_stop()]


@pytest.mark.exhaustive
def test_a_job_is_requeued_before_its_time_limit(cluster: SlurmCluster) -> None:
    """Slurm sends the signal of --signal: it looks at time limits twice a minute."""
    checkpoints = cluster.folder / "limit" / "checkpoints"
    arguments = ("train_jax.sbatch", *trainer(2, steps_between_saves=2))
    job = submit(cluster, *arguments, options=("--time=60",), CHECKPOINT_DIRECTORY=str(checkpoints))
    eventually(lambda: reported(log(cluster), "Saved"), bool)
    cluster.run("scontrol", "update", f"jobid={job}", "timelimit=14")  # less is left than the 15 minutes of the script
    eventually(lambda: cluster.job(job)["Restarts"], lambda restarts: restarts != "0")
    cluster.run("scontrol", "update", f"jobid={job}", "timelimit=60")
    eventually(lambda: len(reported(log(cluster), "Resumed")), lambda count: count > 1)
    first, second = log(cluster).split("the training has stopped", 1)
    assert reported(second, "Resumed")[0]["step"] == reported(first, "Saved")[-1]["step"]


def test_a_job_that_lost_a_device_is_requeued(cluster: SlurmCluster) -> None:
    """The note is that of a node whose device has failed: charts/neuron-training/files/notes.py."""
    checkpoints = cluster.folder / "lost" / "checkpoints"
    job = submit(cluster, "train_jax.sbatch", *trainer(0.05), CHECKPOINT_DIRECTORY=str(checkpoints))
    eventually(lambda: reported(log(cluster), "Saved"), bool)
    (checkpoints.with_name(".stop-root") / job / f"{time.time_ns()}-other.lost").touch()
    eventually(lambda: cluster.job(job)["Restarts"], lambda restarts: restarts == "1")
    assert cluster.ended(job)["JobState"] == "COMPLETED", log(cluster)
    first, second = log(cluster).split("a node or a Neuron device was lost")
    (resumed,) = reported(second, "Resumed")
    assert resumed["step"] == reported(first, "Saved")[-1]["step"]
    assert [line["state"] for line in reported(second, "Trained")] == [trained_without_a_stop()]


@pytest.mark.exhaustive
def test_a_job_that_gains_nothing_is_not_requeued_for_ever(cluster: SlurmCluster) -> None:
    """Each attempt loses a node before the first checkpoint."""
    trainer = cluster.folder / "losing.py"
    note = 'pathlib.Path(os.environ["TRAINING_STOP_FOLDER"], f"{time.time_ns()}-other.lost").touch()'
    trainer.write_text(f"import os, pathlib, time\n{note}\ntime.sleep(600)\n", encoding="utf-8")
    variables = {"CHECKPOINT_DIRECTORY": str(cluster.folder / "losing"), "TRAINING_MAX_WITHOUT_CHECKPOINT": "1"}
    job = submit(cluster, "train_jax.sbatch", str(trainer), options=("--nodes=1",), **variables)
    ended = eventually(lambda: cluster.job(job), lambda shown: shown["JobState"] == "FAILED")
    assert (ended["ExitCode"], ended["Restarts"]) == ("1:0", "2"), log(cluster)
    assert "no newer checkpoint than the start, although the job restarted 2 times" in log(cluster)


def test_a_cancelled_job_is_not_requeued(cluster: SlurmCluster) -> None:
    checkpoints = cluster.folder / "cancelled" / "checkpoints"
    job = submit(cluster, "train_jax.sbatch", *trainer(0.05), CHECKPOINT_DIRECTORY=str(checkpoints))
    eventually(lambda: reported(log(cluster), "Saved"), bool)
    cluster.run("scancel", job)
    ended = cluster.ended(job)
    assert (ended["JobState"], ended["Restarts"]) == ("CANCELLED", "0"), log(cluster)
    assert "the training has stopped" in log(cluster), "the script has asked for a requeue"


def test_a_trainer_that_fails_ends_its_job(cluster: SlurmCluster) -> None:
    checkpoints = cluster.folder / "failed" / "checkpoints"
    job = submit(cluster, "train_jax.sbatch", TRAINER, "--steps=1", CHECKPOINT_DIRECTORY=str(checkpoints))
    ended = cluster.ended(job)
    assert (ended["JobState"], ended["ExitCode"], ended["Restarts"]) == ("FAILED", "1:0", "0")
    assert "the following arguments are required: --step-seconds" in log(cluster)


def test_a_training_without_a_checkpoint_folder_does_not_start(cluster: SlurmCluster) -> None:
    assert cluster.ended(submit(cluster, "train_jax.sbatch", TRAINER))["JobState"] == "FAILED"
    assert "CHECKPOINT_DIRECTORY: set it to a folder of a file system that all nodes mount" in log(cluster)


@pytest.mark.parametrize(("minimum", "status", "verdict"), [(12.0, "0:0", "passed"), (13.0, "10:0", "failed")])
def test_collectives_are_compared_with_minimums(
    cluster: SlurmCluster, minimum: float, status: str, verdict: str
) -> None:
    cluster.write_program("nccom-test", NCCOM_TEST)
    rows = [{"operation": "all_reduce", "bytes": 1 << 20, "source": "test", "enforced": True}]
    minimums = cluster.folder / "minimums.json"
    minimums.write_text(json.dumps([row | {"busBandwidthGibps": minimum} for row in rows]))
    job = cluster.ended(submit(cluster, "check_collectives.sbatch", f"--minimums={minimums}", "all_reduce"))
    assert job["ExitCode"] == status, log(cluster)
    assert "nccom-test all_reduce --nworkers=64 --nnodes=2" in log(cluster)
    places = sorted(re.findall(r"^rank on (\w+) with (\S*)$", log(cluster), re.MULTILINE))
    assert places == [("node1", ALL_DEVICES), ("node2", ALL_DEVICES)]
    assert f"verdict: {verdict}" in log(cluster)


def test_a_rendered_job_runs_with_its_options(cluster: SlurmCluster) -> None:
    """As `workload render` writes it for slurm-trn1, whose queue and devices the cluster here has too."""
    (job,) = (each for each in JOBS if each.name == "check-collectives")
    plan = check_environment(ENVIRONMENT).require_plan()
    options = JobOptions(nodes=2, time="30", arguments=("all_reduce",), scheduler_options=(rf"--comment={COMMENT}",))
    script = cluster.folder / "rendered.sbatch"
    script.write_text(render_job(job, plan, slurm_of(plan), load_catalog(), options).script, encoding="utf-8")
    cluster.write_program("nccom-test", NCCOM_TEST)
    output = cluster.folder / "rendered.log"
    variables = {"NEURON_CLUSTER": str(cluster.installed)}
    ended = cluster.ended(cluster.submit(f"--output={output}", str(script), **variables))
    assert ended["JobState"] == "COMPLETED", output.read_text(encoding="utf-8")
    assert (ended["Partition"], ended["NumNodes"], ended["TimeLimit"]) == ("training", "2", "00:30:00")
    assert ended["TresPerNode"].endswith("gpu:trainium:16")
    (comment,) = re.findall(
        r"^ *Comment=(.*?) *$", cluster.run("scontrol", "show", "job", ended["JobId"]), re.MULTILINE
    )
    assert comment == COMMENT
    assert "nccom-test all_reduce --nworkers=64 --nnodes=2" in output.read_text(encoding="utf-8")


def test_rendered_jobs_share_a_node(cluster: SlurmCluster, plan_of: Callable[..., Any]) -> None:
    """Jobs share devices, CPUs and memory. Without a part of the memory the first job would have all of it."""
    (job,) = (each for each in JOBS if each.name == "serve-vllm")
    queues = [{"name": "training", "groups": ["trn1"], "whole_nodes": False}]
    plan = plan_of("slurm-trn1", {"neuron.sdk": "2.31.1", "slurm.queues": queues})
    text = render_job(
        job, plan, slurm_of(plan), load_catalog(), JobOptions(devices=8, arguments=("/models/small",))
    ).script
    script = cluster.folder / "shared.sbatch"
    script.write_text(text, encoding="utf-8")
    cluster.write_program("vllm", "#!/bin/sh\nexec sleep 600\n")
    options = ("--partition=shared", "--nodelist=node1", "--output=/dev/null", str(script))
    ports = map(str, free_ports(2))
    jobs = [cluster.submit(*options, NEURON_CLUSTER=str(cluster.installed), PORT=port) for port in ports]
    for number in jobs:
        shown = eventually(lambda number=number: cluster.job(number), lambda shown: shown["JobState"] == "RUNNING")
        assert shown["NumCPUs"] == "32"


@pytest.mark.parametrize(
    "option",
    [
        *("--mem=600G", "--mem=1TB", "--mem-per-cpu=16G", "--mem-per-gpu=40G", "--mem=1.5T", "--tmp=600G", "-C inf2"),
        *("-w node9", "-x node9", "-n 130", "--mincpus=65", "--cpus-per-gpu=5", "--threads-per-core=2", "-c two"),
        *(
            "--ntasks=0",
            "--mem=-5",
            "--mem=5KiB",
            "--prefer=big",
            "--batch=big",
            "--licenses=x",
            "--sockets-per-node=65",
        ),
        *("--ntasks-per-socket=65", "--exclusive=all", "--array=1-x", "--dependency=after", "--begin=soon", "-B 1:1:2"),
        *("--switches=x", "--distribution=arbitrary", "--wait-all-nodes=2", "--open-mode=x", "--core-spec=x", "-B x"),
        *("--time-min=1d", "--kill-on-invalid-dep=x", "--no-kill=x", "--distribution=x", "--clusters=x"),
    ],
)
def test_sbatch_rejects_options_of_which_render_reports_an_error(
    option: str, cluster: SlurmCluster, plan_of: Callable[..., Any]
) -> None:
    (job,) = (each for each in JOBS if each.name == "check-collectives")
    options = JobOptions(nodes=2, scheduler_options=(option,))
    plan = plan_of("slurm-trn1", {})
    found = render_job(job, plan, slurm_of(plan), load_catalog(), options)
    assert found.script == ""
    arguments = ("--test-only", "--partition=training", "--nodes=2", "--exclusive", "--gpus-per-node=16", "--wrap=true")
    with pytest.raises(AssertionError, match=r"allocation failure|error: (Invalid|With|Problem)|Invalid numeric value"):
        cluster.run("sbatch", *arguments, option.replace(" ", ""))


def test_the_catalog_has_the_options_of_the_installed_sbatch(cluster: SlurmCluster) -> None:
    """Each that its help names, in the same short form, with or without a value; newer versions have no --power."""
    named = re.findall(
        r"^  (?:-(\w), | {4}|-(\w)  )--([a-z][a-z-]+)([\[=]?)", cluster.run("sbatch", "--help"), re.MULTILINE
    )
    assert len(named) > 80
    options = load_catalog().slurm_options["sbatch"].options
    wrong = {
        name: short
        for short, other, name, value in named
        if name != "power"
        and (
            name not in options
            or options[name].short != (short or other or None)
            or (
                "none" in options[name].forms.values()
                and bool(value)
                and "optional" not in options[name].forms.values()
            )
            or (value == "" and options[name].forms == {"24.11": "required"} and name != "container")
        )
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "option",
    [
        *("--array=0-9:3%2", "--array=[0-2]", "--begin=now+2hours", "--begin=2036-12-24T08:00:00", "--begin=12:00"),
        *("--dependency=singleton", "--switches=1@60", "-B *:*:1", "--exclusive=user", "--distribution=block:cyclic"),
        *("--time-min=30", "--ntasks=4", "--mincpus=64", "--mem=0", "--mem=5KB", "--nice=5", "--hint=compute_bound"),
        *("--overcommit", "--mem-per-gpu=0", "--open-mode=append", "--no-kill=off", "--sockets-per-node=2"),
    ],
)
def test_sbatch_accepts_options_that_render_accepts(
    option: str, cluster: SlurmCluster, plan_of: Callable[..., Any]
) -> None:
    (job,) = (each for each in JOBS if each.name == "warm-compile-cache")
    more: dict[str, Any] = {"arguments": ("g",), "variables": {"NEURON_COMPILE_CACHE_URL": "/fsx/c"}}
    plan = plan_of("slurm-trn1", {})
    found = render_job(job, plan, slurm_of(plan), load_catalog(), JobOptions(scheduler_options=(option,), **more))
    assert found.script, found.findings
    cluster.run(
        "sbatch",
        "--test-only",
        "--partition=training",
        "--nodes=1",
        "--exclusive",
        "--wrap=true",
        option.replace(" ", ""),
    )


def test_collectives_that_cannot_be_measured(cluster: SlurmCluster) -> None:
    cluster.write_program("nccom-test", "#!/bin/sh\necho 'Neuron DKMS Driver is not running!'\n")
    assert cluster.ended(submit(cluster, "check_collectives.sbatch"))["ExitCode"] == "11:0"
    assert "check_collectives could not run: Neuron DKMS Driver is not running!" in log(cluster)


@pytest.mark.parametrize(("array", "tasks"), [(("--array=0-1",), ("_0", "_1")), ((), ("",))])
def test_each_graph_is_compiled_with_an_array_or_without(
    cluster: SlurmCluster, array: tuple[str, ...], tasks: tuple[str, ...]
) -> None:
    program = (PROGRAMS / "bin" / "neuron_parallel_compile").read_text(encoding="utf-8")
    cluster.write_program("neuron_parallel_compile", program)
    cache = cluster.folder / f"cache{len(array)}"
    graphs = cluster.folder / "graphs.json"
    names = ("small", "large")
    graphs.write_text(json.dumps([{"name": each, "kind": "parallel_compile", "args": [each]} for each in names]))
    for node in cluster.nodes:
        cluster.write_node(node, compile_cache=str(cache))
    options = (*array, "--nodes=1", "--gpus-per-node=1", "--mem=1G")
    arguments = ("warm_compile_cache.sbatch", str(graphs))
    job = submit(cluster, *arguments, options=options, REHEARSAL_COMPILE_SECONDS="0")
    for task in tasks:
        assert cluster.ended(f"{job}{task}")["JobState"] == "COMPLETED", log(cluster)
    assert len(list(cache.glob("*/MODULE_*/model.done"))) == 2


def test_a_server_runs_until_the_job_is_stopped(cluster: SlurmCluster) -> None:
    cluster.write_program("vllm", f"#!{sys.executable}{VLLM}")
    (port,) = free_ports(1)
    job = submit(cluster, "serve_vllm.sbatch", "/models/small", options=("--nodes=1", "--gpus=16"), PORT=str(port))
    eventually(lambda: log(cluster), lambda text: f":{port}" in text)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:
        assert answer.status == 200
    cluster.run("scancel", "--batch", "--signal=TERM", job)
    assert cluster.ended(job)["JobState"] == "COMPLETED", log(cluster)
    assert "drained" in log(cluster)


def test_a_server_does_not_take_another_one_for_itself(cluster: SlurmCluster) -> None:
    """The port of another job on the node answers, while its own server would still start."""
    cluster.write_program("vllm", "#!/bin/sh\nsleep 600\n")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        options = ("--nodes=1", "--gpus=4", "--mem=1G")
        job = cluster.ended(submit(cluster, "serve_vllm.sbatch", "/models/small", options=options, PORT=port))
    assert job["ExitCode"] == "1:0"
    assert f"port {port} of {socket.gethostname()} is in use: set PORT to another one" in log(cluster)
