"""The entry point of a container of a SageMaker training job: launch.py on a node of the job.

The request's Environment has the variables that are the same on all nodes (launcher.py of
neuron_cluster/schedulers/sagemaker); the others come from /opt/ml/input/config/resourceconfig.json. The lines that the
node wrote last to standard error go to /opt/ml/output/failure, whose first 1024 characters are the FailureReason of
DescribeTrainingJob. Exit codes: verdict.py; for SageMaker only zero differs from the others. Sources, pages of
https://docs.aws.amazon.com/sagemaker/latest/dg/: your-algorithms-training-algo-running-container.html and
your-algorithms-training-algo-output.html.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import launch
import verdict

ROOT = Path("/opt/ml")
PROGRAMS = Path("/opt/neuron-training")
"""Where trainers find the modules of the chart, as in its pods."""
LONGEST_REASON = 1024
"""Characters of the file that SageMaker shows."""
REASONS = {verdict.LOST: "a node or a Neuron device was lost", verdict.FAILED: "the training failed here"}
BLOCK = 1 << 16
REFERENCE = re.compile(r"\$\$|\$\(([A-Za-z_]\w*)\)")


def variables(resources: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """Returns variables of this node for job.py. Hosts are sorted, so that all nodes count in the same order."""
    hosts, own = sorted(map(str, resources["hosts"])), str(resources["current_host"])
    interface = str(resources.get("network_interface_name") or "")
    return {
        "TRAINING_NODES": str(len(hosts)),
        "TRAINING_NODES_PER_JOB": str(len(hosts)),
        "TRAINING_JOB_INDEX": "0",
        "JOB_COMPLETION_INDEX": str(hosts.index(own)),
        "TRAINING_MASTER_HOST": hosts[0],
        "HOSTNAME": own,
        "TRAINING_RUN": environment.get("TRAINING_JOB_ARN", ""),
        "TRAINING_RESTARTS": "0",
    } | ({"CCOM_SOCKET_IFNAME": interface} if interface and "CCOM_SOCKET_IFNAME" not in environment else {})


def expanded(word: str, environment: Mapping[str, str]) -> str:
    """``$(CHECKPOINT_DIRECTORY)`` in an argument, by the rules of Kubernetes: the chart has the same arguments."""
    return REFERENCE.sub(lambda found: environment.get(found[1], found[0]) if found[1] else "$", word)


@contextlib.contextmanager
def kept_errors() -> Iterator[Callable[[], str]]:
    """Standard error of this process and of those that it starts, also kept: the end of it, as text."""
    kept = bytearray()
    original = os.dup(sys.stderr.fileno())
    reading, writing = os.pipe()
    os.dup2(writing, sys.stderr.fileno())
    os.close(writing)

    def copy() -> None:
        while block := os.read(reading, BLOCK):
            os.write(original, block)
            kept.extend(block)
            del kept[:-LONGEST_REASON]

    thread = threading.Thread(target=copy, daemon=True)
    thread.start()

    def end() -> str:
        sys.stderr.flush()
        os.dup2(original, sys.stderr.fileno())
        thread.join(1)  # a process that was left behind may still hold the other end
        return kept.decode(errors="replace")

    yield end


def failure_of(code: int, host: str, errors: str) -> str:
    """The first line has node and exit code; as many of the last lines as the limit permits follow."""
    first = f"{REASONS.get(code, 'the launcher failed')} (node {host}, exit code {code}); its last lines:\n"
    room = LONGEST_REASON - len(first)
    return first + errors.strip()[-room:]


def main(root: Path = ROOT, programs: Path = PROGRAMS) -> int:
    resources = json.loads((root / "input/config/resourceconfig.json").read_text(encoding="utf-8"))
    os.environ.update(variables(resources, os.environ))
    sys.argv[1:] = [expanded(word, os.environ) for word in sys.argv[1:]]
    with contextlib.suppress(OSError):  # the image has such a folder, or the user may not write there
        programs.symlink_to(Path(__file__).parent)
    with kept_errors() as end:
        try:
            code = launch.main()
        except Exception as problem:  # noqa: BLE001  a variable is missing, for instance: SageMaker shows the file only
            print(f"neuron-training: {problem!r}", file=sys.stderr, flush=True)
            code = verdict.FAILED
        errors = end()
    if code not in (0, verdict.STOPPED):
        failure = root / "output/failure"
        failure.parent.mkdir(parents=True, exist_ok=True)
        failure.write_text(failure_of(code, os.environ["HOSTNAME"], errors), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
