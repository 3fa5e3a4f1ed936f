"""The programs of an MPIJob: `worker` lets Open MPI in, `launcher` starts files/launch.py once on every worker.

A drained worker comes back under the same name. The launcher then starts everything again in its own pod, so that a
drain does not use up a retry. The operator mounts keys and the list of hosts; the places are given by the chart.
"""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
import time
from pathlib import Path

import attempts
import processes
import verdict
import volume
from job import folder_of, read_limits
from notes import Note
from stop_channel import StopChannel, Stopped

SSHD = "/usr/sbin/sshd"
SSH = "ssh"
HOSTS = Path("/etc/mpi/hostfile")
PROGRAM = Path(__file__).with_name("launch.py")
SCRATCH = Path("/tmp/neuron-training")  # noqa: S108  an emptyDir of this pod alone
KNOWN_HOSTS = "known_hosts"
POLL_SECONDS = 3
AGAIN = {Note.SAVE: "stopped on demand", Note.LOST: "a node or a Neuron device was lost"}
PASSED_ON = frozenset({"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "OPAL_PREFIX", "HOSTNAME", "CHECKPOINT_DIRECTORY"})
OF_THE_CHART = ("TRAINING_", "NEURON_", "FI_", "CCOM_")
"""What a login session gets: what starts Open MPI's daemon and Python, and what the chart itself sets. files/launch.py
takes the rest from the container's first process: a variable of a Secret must not be written to a file."""


def channel(*, beats: bool = False) -> StopChannel:
    return StopChannel(folder_of(os.environ, "TRAINING_STOP_FOLDER"), os.environ["HOSTNAME"], beats=beats)


def session_environment() -> str:
    """The SetEnv line of sshd (it reads one only); a session gets nothing of the container otherwise."""
    pairs = (
        f'"{name}={value}"'
        for name, value in sorted(os.environ.items())
        if (name in PASSED_ON or name.startswith(OF_THE_CHART)) and not set(value) & set('"\\\n')
    )
    return "SetEnv " + " ".join(pairs)


def know_the_job() -> None:
    """Whoever has the key that the operator made for the job is a host of it."""
    SCRATCH.mkdir(mode=0o700, parents=True, exist_ok=True)
    public_key = (Path(os.environ["TRAINING_SSH_KEYS"]) / "id_rsa.pub").read_text().strip()
    (SCRATCH / KNOWN_HOSTS).write_text(f"* {public_key}\n")


def worker() -> int:
    """sshd as a plain user. On SIGTERM: no new sessions, a note to all nodes, and time for the ranks to save."""
    know_the_job()
    host_key, configuration = SCRATCH / "host_key", SCRATCH / "sshd_config"
    keys = Path(os.environ["TRAINING_SSH_KEYS"])
    # The operator makes one pair of keys for the job and mounts it into its pods alone: it proves a host, too.
    host_key.unlink(missing_ok=True)
    host_key.touch(mode=0o600)
    host_key.write_bytes((keys / "id_rsa").read_bytes())
    configuration.write_text(
        f"Port {os.environ['TRAINING_SSH_PORT']}\nHostKey {host_key}\nAuthorizedKeysFile {keys / 'authorized_keys'}\n"
        f"PidFile none\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\n"
        f"AllowUsers {pwd.getpwuid(os.getuid()).pw_name}\n{session_environment()}\n"
    )
    stop = channel(beats=True)
    stop.await_open(int(os.environ["TRAINING_START_TIMEOUT_SECONDS"]))
    server = subprocess.Popen([SSHD, "-D", "-e", "-f", str(configuration)])

    def drained(*_: object) -> None:
        stop.leave(Note.SAVE)
        server.terminate()

    signal.signal(signal.SIGTERM, drained)
    while (code := processes.wait(server, POLL_SECONDS)) is None:
        pass
    deadline = time.monotonic() + int(os.environ["TRAINING_GRACE_SECONDS"])
    while training_here() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        processes.reap_orphans()
    stop.close()
    return 0 if stop.heard() is Note.SAVE else code


def training_here() -> bool:
    """Whether files/launch.py runs in this container."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue  # it ended while we looked, or is not ours
            if str(PROGRAM).encode() in words:
                return True
    return False


def ssh_options() -> list[str]:
    """Every worker must prove that it has the job's own key; workers of many start the daemons of others."""
    return [
        *("-p", os.environ["TRAINING_SSH_PORT"], "-i", f"{os.environ['TRAINING_SSH_KEYS']}/id_rsa"),
        *("-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "LogLevel=ERROR"),
        *("-o", "StrictHostKeyChecking=yes", "-o", f"UserKnownHostsFile={SCRATCH / KNOWN_HOSTS}"),
    ]


def launcher(program: list[str]) -> int:
    """mpirun, again after each stop on demand. Answers its exit code when it ended for another reason.

    A stop while workers are awaited counts as well: ranks that start after a note take it for an earlier attempt's.
    """
    leaving = False
    know_the_job()

    def drained(*_: object) -> None:
        nonlocal leaving
        leaving = True
        stop.leave(Note.SAVE)

    while True:
        stop = channel()
        if leaving:  # the note went to the channel before this one
            return verdict.STOPPED
        signal.signal(signal.SIGTERM, drained)
        code = attempt(program, stop)
        if code == 0 and stop.look(verdict.LOOK_SECONDS) is not Note.SAVE:
            stop.close()
            return 0
        reason = verdict.without_result(stop, is_alone=False)
        stop.close()
        if reason is Note.FAILED:
            return code
        if leaving:
            return verdict.STOPPED
        print(f"neuron-training: {AGAIN[reason]}; starting again when all workers are back", flush=True)


def attempt(program: list[str], stop: StopChannel) -> int:
    """One mpirun once the workers are there; 1 without one."""
    try:
        stop.await_open(int(os.environ["TRAINING_START_TIMEOUT_SECONDS"]))
        volume.patiently(lambda: count_attempt(stop), int(os.environ["TRAINING_START_TIMEOUT_SECONDS"]), stop.check)
    except Stopped:
        return 1
    except (OSError, attempts.TooManyRestarts) as problem:
        print(f"neuron-training: {problem}", file=sys.stderr, flush=True)
        return 1
    return subprocess.run(mpirun(program), check=False).returncode if await_workers(stop) else 1


def count_attempt(stop: StopChannel) -> None:
    """Raises TooManyRestarts."""
    folder, checkpoints = (folder_of(os.environ, name) for name in ("TRAINING_STOP_FOLDER", "CHECKPOINT_DIRECTORY"))
    attempts.count(folder, os.environ["TRAINING_RUN"], checkpoints, stop.earlier, read_limits(os.environ))


def await_workers(stop: StopChannel) -> bool:
    """True once every worker lets us in; False when one does not in time, and as soon as a stop on demand is heard."""
    deadline = time.monotonic() + int(os.environ["TRAINING_START_TIMEOUT_SECONDS"])
    for host in (line.split()[0] for line in HOSTS.read_text().splitlines() if line.strip()):
        while subprocess.run([SSH, *ssh_options(), host, "true"], check=False, capture_output=True).returncode != 0:
            if stop.heard() is Note.SAVE:
                return False
            if time.monotonic() > deadline:
                print(f"neuron-training: worker {host} cannot be reached", file=sys.stderr, flush=True)
                return False
            time.sleep(POLL_SECONDS)
    return stop.look(verdict.LOOK_SECONDS) is not Note.SAVE


def mpirun(program: list[str]) -> list[str]:
    """One process on each worker, in the order of the list of hosts; the cores are the ranks' own business."""
    words = ["mpirun", "-np", os.environ["TRAINING_NODES"], "--hostfile", str(HOSTS), "--map-by", "ppr:1:node"]
    words += ["--bind-to", "none", "--mca", "plm_rsh_args", " ".join(ssh_options())]
    # Between SIGTERM and SIGKILL, Open MPI leaves a process one second unless told otherwise.
    words += ["--mca", "odls_base_sigkill_timeout", "10"]
    return [*words, "python3", str(PROGRAM), *program]


def main() -> int:
    role, *program = sys.argv[1:]
    return worker() if role == "worker" else launcher(program)


if __name__ == "__main__":
    sys.exit(main())
