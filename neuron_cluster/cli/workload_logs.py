"""``neuron-cluster workload logs``: logs of the pods of a release, by rank."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, a_count, add_verb
from neuron_cluster.cli.workload_cluster import CONTEXT_TEXT, add_release, identity, open_cluster, read_situation

if TYPE_CHECKING:
    from neuron_cluster.workloads.running.release import Release
    from neuron_cluster.workloads.running.session import Session

ENDED_BY_SIGNAL = 128
TEXT = f"""Print the log of one pod: the launcher of an MPIJob, else rank 0. Ranks are
those of pods: node 0, 1, … of a job, leader and workers of a server over
several nodes. --all prints those of all pods, each line with its pod. Ctrl-C
ends --follow (exit status 130).

{CONTEXT_TEXT}"""

EXAMPLES = """  neuron-cluster workload logs llama train-trn2 --context trn2 --follow
  neuron-cluster workload logs llama train-trn2 --context trn2 --rank 3 \\
    --previous
  neuron-cluster workload logs llama train-trn2 --context trn2 --all --since 10m"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "logs", run, summary="print logs by rank", text=TEXT, examples=EXAMPLES)
    add_release(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--rank", metavar="N", type=a_rank, help="pod of this rank (default: the leader)")
    which.add_argument("--all", action="store_true", help="all pods, with prefixes")
    parser.add_argument("--container", metavar="NAME", help="container (default: the pod's first)")
    parser.add_argument("--previous", action="store_true", help="of the container before its last restart")
    parser.add_argument("--follow", action="store_true", help="print new lines until Ctrl-C")
    parser.add_argument("--since", metavar="TIME", type=a_duration, help="only lines of the last 90s, 10m, 2h")
    parser.add_argument("--tail", metavar="N", type=a_count, help="only the last lines of each pod")


def a_rank(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a rank: expected a whole number of at least 0")
    return int(text)


def a_duration(text: str) -> str:
    if not (text[:-1].isascii() and text[:-1].isdigit() and text[-1:] in ("s", "m", "h")):
        raise argparse.ArgumentTypeError(f"{text!r} is not a duration: expected seconds, minutes or hours, such as 10m")
    return text


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.errors import ToolkitError

    if options.format == "json" and options.follow:
        raise ToolkitError("--format json prints one document: --follow would never end it", hint="leave one out")
    session = open_cluster(options)
    situation = read_situation(session, options)
    if options.format == "json":
        return _print_document(session, situation.release, options, identity(session, situation))
    status = session.kubectl.stream(*_arguments(situation.release, options))
    if status < 0:
        return ENDED_BY_SIGNAL - status
    return int(status != 0)


def _arguments(release: Release, options: argparse.Namespace) -> list[str]:
    from neuron_cluster.workloads.running.ranked_pods import container_count, pod_of_rank, selector_of

    if options.all:
        pod_of_rank(release, None)
        most = f"--max-log-requests={max(container_count(release), 1)}"
        which = ["--selector", selector_of(release), "--prefix", most, "--ignore-errors"]
    else:
        which = [pod_of_rank(release, options.rank).name]
    return ["logs", *which, "--namespace", release.namespace, *_filters(options)]


def _filters(options: argparse.Namespace) -> list[str]:
    found = [f"--tail={options.tail or -1}"]
    found += [f"--container={options.container}"] if options.container else []
    found += [f"--since={options.since}"] if options.since else []
    return [*found, *(f"--{name}" for name in ("previous", "follow") if getattr(options, name))]


def _print_document(session: Session, release: Release, options: argparse.Namespace, data: dict[str, str]) -> int:
    """Every pod's log; null where there is none."""
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.workloads.running.ranked_pods import pod_of_rank, ranked_pods

    pods = ranked_pods(release) if options.all else [pod_of_rank(release, options.rank)]
    logs = [
        {"pod": pod.name, "rank": pod.rank, "log": session.kubectl.log(pod.name, release.namespace, *_filters(options))}
        for pod in pods
    ]
    print_json({**data, "logs": logs})
    return int(all(each["log"] is None for each in logs))
