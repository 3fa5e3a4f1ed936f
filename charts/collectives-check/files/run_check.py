"""The program of every pod of the Job. Pod 0 measures (and takes part); the others only let it in.

Exit codes: 0 every enforced floor met; 10 a floor was not met; 11 nccom-test could not be run.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from check_plan import CheckPlan, read_plan
from collectives_metrics import embedded_metric_lines, prometheus_text, push
from collectives_report import Measurement, UnreadableOutput, Verdict, judge, result_document, summary, verdict
from locked_memory import advice, locked_memory_line, soft_limit
from nccom_run import measure_run
from node_pairs import PairResult, measure_pairs, pair_lines
from result_store import ResultStore
from ssh_mesh import SshMesh
from ultraserver_places import WrongPlacement, environment, exchange, own_place, sorted_places

BELOW_FLOOR = 10
NOT_RUN = 11
POLL_SECONDS = 3
SSH_DIRECTORY = Path("/tmp/collectives-check")  # noqa: S108  an emptyDir of this pod alone
PUBLIC_KEY = "launcher.pub"


def main() -> int:
    # The first process of a container ignores SIGTERM unless it says what to do.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(NOT_RUN))
    plan = read_plan(Path(sys.argv[1]))
    print(locked_memory_line(soft_limit()), flush=True)
    store = ResultStore(plan.name)
    mesh = SshMesh(SSH_DIRECTORY, plan.ssh_port)
    try:
        # Before sshd starts: its sessions get the environment of that moment.
        order = join_ultraservers(plan, store) if plan.ultraserver_size else list(range(len(plan.hosts)))
        server = mesh.start_server() if plan.several_nodes else None
        if server and os.environ["JOB_COMPLETION_INDEX"] != "0":
            return serve(store, mesh, server)
        return measure(plan, store, mesh, order)
    except (UnreadableOutput, TimeoutError, WrongPlacement, subprocess.TimeoutExpired) as problem:
        summary_of_failure = why_not_run(problem, soft_limit())
        print(f"collectives-check could not run: {summary_of_failure}", file=sys.stderr, flush=True)
        store.write({"verdict": "not run", "summary": f"{summary_of_failure}\n"})
        return NOT_RUN


def join_ultraservers(plan: CheckPlan, store: ResultStore) -> list[int]:
    """Sets the variables of the runtime, and returns the pods in the order of their topology ids."""
    size = plan.ultraserver_size
    own = own_place(size, int(os.environ["JOB_COMPLETION_INDEX"]))
    places = sorted_places(exchange(store, plan.job, own, len(plan.hosts), plan.start_timeout_seconds), size)
    os.environ.update(environment(places, own, size, plan.hosts))
    return [place.pod for place in places]


def why_not_run(problem: Exception, locked_memory_limit: int) -> str:
    """The failure, and what to do where EFA could not register its buffers."""
    return "\n".join(filter(None, [str(problem), advice(locked_memory_limit)]))


def serve(store: ResultStore, mesh: SshMesh, server: subprocess.Popen[bytes]) -> int:
    """Admits whichever launcher is the present one, until the Job ends this pod."""
    index = os.environ["JOB_COMPLETION_INDEX"]
    own_key = {host_key_name(index): mesh.host_key, node_name(index): os.environ["NODE_NAME"]}
    while server.poll() is None:
        try:
            if not own_key.items() <= store.read().items():
                store.write(own_key)
            mesh.admit(store.read().get(PUBLIC_KEY, ""))
        except OSError as problem:
            print(f"the ConfigMap cannot be read now: {problem}", file=sys.stderr, flush=True)
        time.sleep(POLL_SECONDS)
    return NOT_RUN


def measure(plan: CheckPlan, store: ResultStore, mesh: SshMesh, order: Sequence[int]) -> int:
    """Runs every operation, publishes, and says how it ended. ``order`` is that of the hosts of nccom-test."""
    public_key = mesh.new_identity() if plan.several_nodes else ""
    store.write({PUBLIC_KEY: public_key, "verdict": "running", "summary": "", "result.json": "", "metrics.prom": ""})
    met = meet(plan, store, mesh, public_key) if plan.several_nodes else []
    addresses = [met[index] for index in order] if met else []
    measurements: list[Measurement] = []
    for operation in plan.operations:
        measurements += measure_run(plan, plan.run(operation, addresses))
    results = judge(plan.floors, measurements)
    # Pairs take their time: what is known is written before them. Nodes that share an UltraServer work whole alone.
    store.write({"verdict": verdict(results), "summary": summary(measurements, results)})
    pairs = [] if plan.ultraserver_size else measure_pairs(plan, results, addresses, nodes_of(plan, store))
    return publish(plan, store, measurements, pairs)


def nodes_of(plan: CheckPlan, store: ResultStore) -> list[str]:
    """The names of the nodes in order of their pods, of pods where no name is known."""
    try:
        told = store.read()
    except OSError:
        told = {}
    others = [told.get(node_name(index), host) for index, host in enumerate(plan.hosts)]
    return [os.environ["NODE_NAME"], *others[1:]]


def node_name(index: str | int) -> str:
    """Where a pod's node is named in the ConfigMap."""
    return f"node-{index}"


def host_key_name(index: str | int) -> str:
    """Where a pod's host key stands in the ConfigMap."""
    return f"host-{index}.pub"


def meet(plan: CheckPlan, store: ResultStore, mesh: SshMesh, public_key: str) -> list[str]:
    """The addresses of all pods in order of their index, once each of them lets us in. Raises TimeoutError."""
    mesh.admit(public_key)
    deadline = time.monotonic() + plan.start_timeout_seconds
    addresses: list[str] = []
    host_keys: dict[str, str] = {}
    for index, name in enumerate(plan.hosts):
        while True:
            address = address_of(name)
            key = mesh.host_key if index == 0 else told_key(store, index)
            if address is not None and key:
                mesh.know(host_keys | {address: key})
                if mesh.reaches(address):
                    host_keys[address] = key
                    break
            if time.monotonic() > deadline:
                raise TimeoutError(f"{name} did not let the launcher in: see whether its pod runs, and its log")
            time.sleep(POLL_SECONDS)
        addresses.append(address)
    return addresses


def told_key(store: ResultStore, index: int) -> str:
    """The host key that a pod has written; empty until it has, and while the API does not answer."""
    try:
        return store.read().get(host_key_name(index), "")
    except OSError:
        return ""


def address_of(name: str) -> str | None:
    """The address that the headless Service gives this pod; None until it has one."""
    try:
        return str(socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)[0][4][0])
    except socket.gaierror:
        return None


def publish(plan: CheckPlan, store: ResultStore, measurements: list[Measurement], pairs: list[PairResult]) -> int:
    """Writes the result to the log, the ConfigMap and, if there is one, the push gateway."""
    results = judge(plan.floors, measurements)
    ended = verdict(results)
    page = summary(measurements, results, pair_lines(pairs))
    metrics = prometheus_text(plan.labels, measurements, ended)
    document = result_document(plan.labels, measurements, results, [asdict(pair) for pair in pairs])
    print(page, *embedded_metric_lines(plan.labels, measurements, time.time_ns() // 1_000_000), sep="\n", flush=True)
    store.write({"verdict": ended, "summary": page, "result.json": document, "metrics.prom": metrics})
    if plan.pushgateway_url:
        try:
            push(plan.pushgateway_url, plan.name, metrics)
        except OSError as problem:
            # The check is about the collectives: a gateway that is down must not make them look bad.
            print(f"the push gateway took nothing: {problem}", file=sys.stderr, flush=True)
    return BELOW_FLOOR if ended is Verdict.FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
