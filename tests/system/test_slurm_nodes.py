"""The scripts of Slurm nodes under a real Slurm: gres, prolog, epilog, TaskProlog and health check."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from neuron_cluster.providers.pcs.slurm_nodes import SINFO, node_rows

from .slurm_cluster import SlurmCluster, eventually, needs_slurm, slurm_cluster

pytestmark = [pytest.mark.system, pytest.mark.slow, *needs_slurm]

SHOW = "#!/bin/bash\nsrun --label bash -c 'echo $SLURMD_NODENAME $SLURM_STEP_GPUS ${CUDA_VISIBLE_DEVICES-none}'\n"
WAIT = "#!/bin/bash\ntouch $1-begun\nuntil [[ -e $1 ]]; do sleep 0.1; done\n"
VARIABLES = "printenv | grep -E '^(NEURON|FI)_' | sort"


@pytest.fixture(scope="module")
def cluster() -> Iterator[SlurmCluster]:
    """Its nodes are checked by the prolog alone."""
    with slurm_cluster("slurm-trn2-block", HealthCheckInterval="0") as made:
        yield made


@pytest.fixture(scope="module")
def checked() -> Iterator[SlurmCluster]:
    """Its nodes are checked each second."""
    with slurm_cluster("slurm-trn2-block", HealthCheckInterval="1") as made:
        yield made


@pytest.fixture(autouse=True)
def in_service(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test finds the nodes without a fault and idle."""
    yield
    for name in {"cluster", "checked"} & set(request.fixturenames):
        used: SlurmCluster = request.getfixturevalue(name)
        used.cancel_all()
        for node in used.nodes:
            used.repair(node)


def script(cluster: SlurmCluster, text: str) -> str:
    path = cluster.folder / "job.sh"
    path.write_text(text, encoding="utf-8")
    return str(path)


def running(cluster: SlurmCluster, done: Path, *arguments: str) -> str:
    """The id of a job that runs until the file exists. Its script has begun, so that the prolog has ended."""
    job = cluster.submit(*arguments, "--output=/dev/null", script(cluster, WAIT), str(done))
    eventually(done.with_name(f"{done.name}-begun").exists, bool)
    return job


def test_a_job_over_two_nodes_has_the_devices_of_both(cluster: SlurmCluster) -> None:
    arguments = ("--nodes=2", "--ntasks-per-node=1", "--gpus-per-node=trainium2:16", "--output=shown")
    job = cluster.ended(cluster.submit(*arguments, script(cluster, SHOW)))
    assert job["JobState"] == "COMPLETED"
    every = ",".join(str(number) for number in range(16))
    shown = sorted((cluster.folder / "shown").read_text().splitlines())
    assert shown == [f"0: node1 {every} none", f"1: node2 {every} none"]


def test_no_node_has_more_devices_than_its_record(cluster: SlurmCluster) -> None:
    with pytest.raises(AssertionError, match="Requested node configuration is not available"):
        cluster.submit("--gpus-per-node=17", script(cluster, SHOW))


def test_slurm_has_the_settings_of_the_plan(cluster: SlurmCluster) -> None:
    """Settings of the cluster, the group and the queue, but for those that the tests replace."""
    shown = cluster.run("scontrol", "show", "config")
    config = dict(line.split("=", 1) for line in shown.replace(" ", "").splitlines() if "=" in line)
    replaced = ("HealthCheckInterval", "SchedulerParameters")
    planned = {name: value.lower() for name, value in cluster.planned_settings.items() if name not in replaced}
    assert {name: config[name].lower() for name in planned} == planned
    assert "nohold_on_prolog_fail" in config["SchedulerParameters"]
    assert cluster.node("node1")["Gres"].startswith("gpu:trainium2:16")
    (queue,) = (each for each in cluster.plan.queues if each.is_default)
    part = cluster.partition(queue.name)
    assert {name: part[name] for name in queue.settings} == queue.settings
    assert queue.settings == {"Default": "YES", "OverSubscribe": "EXCLUSIVE", "MaxTime": "1-00:00:00"}


def test_a_job_of_a_queue_with_whole_nodes_has_its_node_alone(cluster: SlurmCluster) -> None:
    done = cluster.folder / "done-alone"
    part = ("--nodelist=node1", "--gpus=4", "--mem=1G", "--output=/dev/null")
    first = cluster.submit(*part, script(cluster, WAIT), str(done))
    eventually(lambda: cluster.job(first), lambda job: job["JobState"] == "RUNNING")
    second = cluster.submit(*part, str(cluster.folder / "job.sh"), str(done))
    waits = eventually(lambda: cluster.job(second), lambda job: job["Reason"] not in ("None", "Priority"))
    assert (waits["JobState"], waits["Reason"]) == ("PENDING", "Resources")
    done.touch()
    assert [cluster.ended(each)["JobState"] for each in (first, second)] == ["COMPLETED"] * 2


def test_jobs_share_a_node_by_devices(cluster: SlurmCluster) -> None:
    """The second job has the devices that the first one has not."""
    done = cluster.folder / "done"
    # Without --mem a job has the memory of the whole node.
    part = ("--partition=shared", "--nodelist=node1", "--mem=1G")
    first = running(cluster, done, *part, "--gpus=4")
    shown = cluster.run("srun", *part, "--gpus=2", "bash", "-c", VARIABLES)
    assert "NEURON_RT_VISIBLE_CORES=16-23" in shown.splitlines()
    done.touch()
    assert cluster.ended(first)["JobState"] == "COMPLETED"


def test_variables_of_a_task(cluster: SlurmCluster) -> None:
    cluster.write_node("node1", logical_nc_config=1, cores_per_device=8, compile_cache="s3://bucket/cache")
    shown = cluster.run(
        "srun", "--nodelist=node1", "--gpus=16", "--uid=nobody", "bash", "-c", VARIABLES, FI_PROVIDER="tcp"
    )
    assert shown.splitlines() == [
        "FI_EFA_USE_DEVICE_RDMA=1",
        "FI_PROVIDER=tcp",
        "NEURON_COMPILE_CACHE_URL=s3://bucket/cache",
        "NEURON_LOGICAL_NC_CONFIG=1",
    ]


def test_each_task_has_the_cores_of_its_own_device(cluster: SlurmCluster) -> None:
    command = ("bash", "-c", "echo $NEURON_RT_VISIBLE_CORES")
    shown = cluster.run("srun", "--nodelist=node1", "--ntasks=4", "--gpus-per-task=1", *command)
    assert sorted(shown.split()) == ["0-3", "12-15", "4-7", "8-11"]


def test_a_prolog_that_fails_drains_its_node_and_the_job_goes_to_another(cluster: SlurmCluster) -> None:
    (cluster.devices("node1") / "neuron5").unlink()
    job = cluster.submit("--gpus=16", "--output=shown", script(cluster, SHOW))
    assert cluster.drained("node1")["Reason"] == "neuron-cluster: Neuron device neuron5 is missing"
    assert cluster.ended(job)["BatchHost"] == "node2"
    assert cluster.job(job)["Restarts"] == "1"


def test_status_reads_the_states_and_reasons_that_sinfo_prints(cluster: SlurmCluster) -> None:
    words = shlex.split(SINFO)
    (idle,) = node_rows(cluster.run(*words))
    assert (idle.state, idle.marks, idle.count, idle.reason, idle.since) == ("idle", "", len(cluster.nodes), "", None)
    cluster.run("scontrol", "update", "nodename=node1", "state=drain", "reason=fan | of node1 is loud")
    drained = next(row for row in node_rows(cluster.run(*words)) if row.names == "node1")
    assert (drained.state, drained.count, drained.reason) == ("drained", 1, "fan | of node1 is loud")
    assert drained.since is not None
    cluster.run("scontrol", "update", "nodename=node1", "state=resume")
    assert {row.state for row in node_rows(cluster.run(*words))} == {"idle"}


def test_the_user_of_a_job_may_requeue_it(cluster: SlurmCluster) -> None:
    """As the job scripts do."""
    requeued = '#!/bin/bash\n((${SLURM_RESTART_COUNT:-0})) || scontrol requeue Incomplete "$SLURM_JOB_ID"\n'
    arguments = ("--uid=nobody", "--chdir=/", "--output=/dev/null", "--gpus=1")
    job = cluster.ended(cluster.submit(*arguments, script(cluster, requeued)))
    assert (job["JobState"], job["Restarts"]) == ("COMPLETED", "1")
    assert job["UserId"].startswith("nobody(")


def leave_a_holder(cluster: SlurmCluster) -> str:
    """A job that ends, and a process outside of it that has a device open."""
    daemon = f"exec 3</{cluster.devices('node1')}/neuron0; echo $BASHPID >{cluster.folder}/holder; exec sleep 600"
    started = f"#!/bin/bash\n(setsid bash -c '{daemon}' &)\nuntil [[ -s {cluster.folder}/holder ]]; do :; done\n"
    return cluster.submit("--nodelist=node1", "--gpus=16", "--output=/dev/null", script(cluster, started))


def test_the_epilog_ends_what_a_job_leaves_on_devices(cluster: SlurmCluster) -> None:
    cluster.ended(leave_a_holder(cluster))
    holder = int((cluster.folder / "holder").read_text())
    eventually(lambda: cluster.node("node1")["State"], lambda state: state == "IDLE")
    assert not Path(f"/proc/{holder}/exe").exists(), "it runs"


def no_device(cluster: SlurmCluster) -> str:
    (cluster.devices("node1") / "neuron5").unlink()
    return "Neuron device neuron5 is missing"


def uncorrectable(cluster: SlurmCluster) -> str:
    cluster.write_counter("node1", 3, "mem_ecc_uncorrected", 2)
    return "Neuron device neuron3: mem_ecc_uncorrected is 2"


def kernel_log(cluster: SlurmCluster) -> str:
    line = "[1.5] neuron: NEURON_HW_ERR=HBM_UNCORRECTABLE_ERROR instance-id=i-0 hbm=2"
    cluster.write_program("dmesg", f"#!/bin/sh\n[ $SLURMD_NODENAME = node2 ] || echo '{line}'\n")
    return "kernel log: NEURON_HW_ERR=HBM_UNCORRECTABLE_ERROR"


def no_efa(cluster: SlurmCluster) -> str:
    (cluster.sysfs("node1") / "class" / "infiniband" / "rdmap7").rmdir()
    return "15 of 16 EFA interfaces"


def not_mounted(cluster: SlurmCluster) -> str:
    cluster.write_node("node1", mounts=("/proc", "/fsx"))
    return "/fsx is not mounted"


def silent(cluster: SlurmCluster) -> str:
    """A file server that is gone: whoever asks for the file system waits."""
    cluster.write_program("stat", "#!/bin/sh\nsleep 20\n")
    cluster.write_node("node1", mounts=("/proc",))
    return "/proc does not respond"


def full(cluster: SlurmCluster) -> str:
    cluster.write_node("node1", minimum_free_mib=10**9)
    return "MiB free, less than 1000000000"


@pytest.mark.parametrize("fault", [no_device, uncorrectable, kernel_log, no_efa])
def test_a_device_fault_drains_the_node_and_requeues_its_job(
    checked: SlurmCluster, fault: Callable[[SlurmCluster], str]
) -> None:
    done = checked.folder / f"done-{fault.__name__}"
    job = running(checked, done, "--gpus=16")
    assert checked.job(job)["BatchHost"] == "node1"
    reason = fault(checked)
    assert checked.drained("node1")["Reason"] == f"neuron-cluster: {reason}"
    again = eventually(lambda: checked.job(job), lambda shown: shown.get("BatchHost") == "node2")
    assert (again["JobState"], again["Restarts"]) == ("RUNNING", "1")
    done.touch()
    assert checked.ended(job)["JobState"] == "COMPLETED"


@pytest.mark.parametrize("fault", [not_mounted, silent, full])
def test_a_volume_fault_drains_the_node_and_its_job_stays(
    checked: SlurmCluster, fault: Callable[[SlurmCluster], str]
) -> None:
    """A file system may come back: the job waits for it, or fails by itself."""
    done = checked.folder / f"done-{fault.__name__}"
    job = running(checked, done, "--gpus=16")
    reason = fault(checked)
    assert checked.drained("node1")["Reason"].endswith(reason)
    assert checked.job(job)["Restarts"] == "0"
    done.touch()
    ended = checked.ended(job)
    assert (ended["JobState"], ended["BatchHost"]) == ("COMPLETED", "node1")


def test_a_node_is_resumed_when_its_mount_responds_again(checked: SlurmCluster) -> None:
    not_mounted(checked)
    assert checked.drained("node1")["Reason"] == "neuron-cluster: /fsx is not mounted"
    checked.write_node("node1", mounts=("/proc",))
    found = eventually(lambda: checked.node("node1"), lambda node: "DRAIN" not in node["State"])
    assert found["Reason"] == ""


def test_the_reason_of_an_administrator_stays(checked: SlurmCluster) -> None:
    checked.run("scontrol", "update", "nodename=node1", "state=drain", "reason=new image")
    no_device(checked)
    rounds = checked.folder / "rounds"
    rounds.touch()
    checked.write_program("dmesg", f"#!/bin/sh\necho >>{rounds}\n")  # run for node2, at the same time as for node1
    eventually(rounds.read_text, lambda lines: len(lines) >= 3)
    assert checked.node("node1")["Reason"] == "new image"
