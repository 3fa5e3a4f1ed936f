"""The command and the environment that make the ranks of this node find all others."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence

from job import FrontEnd, Job
from rendezvous import Missing

POLL_SECONDS = 2


def address_of(host: str, timeout_seconds: int, check: Callable[[], None]) -> str:
    """The address of this host, once its name resolves. Raises Missing, and what ``check`` raises meanwhile."""
    deadline = time.monotonic() + timeout_seconds
    while True:
        check()
        try:
            return str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])
        except socket.gaierror as problem:
            if time.monotonic() > deadline:
                raise Missing(f"{host} did not get an address in time: {problem}") from problem
            time.sleep(POLL_SECONDS)


def command(job: Job, program: Sequence[str]) -> list[str]:
    """What this node runs: torchrun with a fixed rank for each node, or Python itself for JAX."""
    if job.front_end is FrontEnd.JAX:
        return ["python3", *program]
    return [
        "torchrun",
        f"--nnodes={job.nodes}",
        f"--nproc_per_node={job.cores}",
        f"--node_rank={job.node_rank}",
        f"--master_addr={job.master_host}",
        f"--master_port={job.master_port}",
        f"--rdzv_conf=timeout={job.start_timeout_seconds}",
        *program,
    ]


def environment(job: Job, master_address: str) -> dict[str, str]:
    """The variables beyond those of the pod. The chart's README names the source of each."""
    variables = {
        "MASTER_ADDR": job.master_host,
        "MASTER_PORT": str(job.master_port),
        "NNODES": str(job.nodes),
        "NODE_RANK": str(job.node_rank),
    }
    if job.front_end is FrontEnd.JAX:
        host = f"[{master_address}]" if ":" in master_address else master_address
        variables |= {
            "JAX_COORDINATOR_ADDRESS": f"{host}:{job.master_port}",
            "NEURON_RT_ROOT_COMM_ID": f"{host}:{job.root_communication_port}",
            "NEURON_PJRT_PROCESSES_NUM_DEVICES": ",".join([str(job.cores)] * job.nodes),
            "NEURON_PJRT_PROCESS_INDEX": str(job.node_rank),
        }
    return variables


def own_host() -> str:
    """The name that the other pods resolve this one by: its host name in the headless Service."""
    return socket.getfqdn()
