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

from stop_channel import Note, StopChannel

SSHD = "/usr/sbin/sshd"
SSH = "ssh"
SSH_KEYGEN = "ssh-keygen"
HOSTS = Path("/etc/mpi/hostfile")
PROGRAM = Path(__file__).with_name("launch.py")
SCRATCH = Path("/tmp/neuron-training")  # noqa: S108  an emptyDir of this pod alone
POLL_SECONDS = 3
STOPPED = 75
# What a login session of its own must not take over from the container.
NOT_PASSED_ON = frozenset({"HOME", "USER", "LOGNAME", "PWD", "OLDPWD", "SHLVL", "TERM", "_"})


def channel() -> StopChannel:
    folder = os.environ["TRAINING_STOP_FOLDER"]
    return StopChannel(Path(folder) if folder else None, os.environ["HOSTNAME"])


def session_environment() -> str:
    """The SetEnv line of sshd (it reads one only): a session gets nothing of the container otherwise."""
    pairs = (
        f'"{name}={value}"'
        for name, value in sorted(os.environ.items())
        if name not in NOT_PASSED_ON and not name.startswith(("KUBERNETES_", "OMPI_")) and not set(value) & set('"\\\n')
    )
    return "SetEnv " + " ".join(pairs)


def worker() -> int:
    """sshd as a plain user. On SIGTERM: no new sessions, a note to all nodes, and time for the ranks to save."""
    SCRATCH.mkdir(mode=0o700, parents=True, exist_ok=True)
    host_key, configuration = SCRATCH / "host_key", SCRATCH / "sshd_config"
    host_key.unlink(missing_ok=True)
    subprocess.run([SSH_KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", str(host_key)], check=True)
    keys = Path(os.environ["TRAINING_SSH_KEYS"])
    configuration.write_text(
        f"Port {os.environ['TRAINING_SSH_PORT']}\nHostKey {host_key}\nAuthorizedKeysFile {keys / 'authorized_keys'}\n"
        f"PidFile none\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\n"
        f"AllowUsers {pwd.getpwuid(os.getuid()).pw_name}\n{session_environment()}\n"
    )
    stop = channel()
    server = subprocess.Popen([SSHD, "-D", "-e", "-f", str(configuration)])

    def drained(*_: object) -> None:
        stop.leave(Note.SAVE)
        server.terminate()

    signal.signal(signal.SIGTERM, drained)
    code = server.wait()
    deadline = time.monotonic() + int(os.environ["TRAINING_GRACE_SECONDS"])
    while training_here() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
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
    """Host keys are made anew in each pod, so there is nothing to compare them with."""
    return [
        *("-p", os.environ["TRAINING_SSH_PORT"], "-i", f"{os.environ['TRAINING_SSH_KEYS']}/id_rsa"),
        *("-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "LogLevel=ERROR"),
        *("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"),
    ]


def launcher(program: list[str]) -> int:
    """mpirun, again after each stop on demand. Answers its exit code when it ended for another reason.

    A stop while workers are awaited counts as well: ranks that start after a note take it for an earlier attempt's.
    """
    leaving = False

    def drained(*_: object) -> None:
        nonlocal leaving
        leaving = True
        stop.leave(Note.SAVE)

    while True:
        stop = channel()
        if leaving:  # the note went to the channel before this one
            return STOPPED
        signal.signal(signal.SIGTERM, drained)
        code = subprocess.run(mpirun(program), check=False).returncode if await_workers(stop) else 1
        if stop.heard() is not Note.SAVE:
            return code
        if leaving:
            return STOPPED
        print("neuron-training: stopped on demand; starting again when all workers are back", flush=True)


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
    return stop.heard() is not Note.SAVE


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
