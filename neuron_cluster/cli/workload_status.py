"""``neuron-cluster workload status``: a release on one screen."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_cluster import (
    CONTEXT_TEXT,
    add_release,
    heading,
    identity,
    open_cluster,
    read_situation,
)

if TYPE_CHECKING:
    from neuron_cluster.workloads.running.log_progress import LogProgress
    from neuron_cluster.workloads.running.session import Session
    from neuron_cluster.workloads.running.situation import Situation

TAIL_LINES = 400
TEXT = f"""Show the state of a workload: queue and admission, pods by state, nodes, attempt
and restarts (counted or not), exit codes, and the last step and checkpoint that
the log of its leader names. Steps and checkpoints are looked for by the words
of common trainers: a guess, quoted from the log.

{CONTEXT_TEXT}"""

EXAMPLES = """  neuron-cluster workload status llama train-trn2 --context trn2
  watch -n 30 neuron-cluster workload status llama train-trn2 --context trn2
  neuron-cluster workload status llama train-trn2 --context trn2 --format json \\
    | jq .restarts"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "status", run, summary="show the state of a workload", text=TEXT, examples=EXAMPLES)
    add_release(parser)


def run(options: argparse.Namespace) -> int:
    from msgspec import to_builtins

    from neuron_cluster.cli.terminal import print_json, width
    from neuron_cluster.report.text_page import text_of
    from neuron_cluster.report.workload_status_page import status_page
    from neuron_cluster.workloads.running.status import status_of

    session = open_cluster(options)
    situation = read_situation(session, options)
    status = status_of(situation, _position(session, situation), _progress(session, situation))
    if options.format == "json":
        print_json({**identity(session, situation), **to_builtins(status)})
    else:
        print(text_of(status_page(status, heading(session, situation)), width()), end="")
    return 0


def _position(session: Session, situation: Situation) -> int | None:
    """Only of what waits, and where the cluster serves Kueue's visibility API."""
    from neuron_cluster.workloads.running.status import VISIBILITY, position_in, visibility_path

    release = situation.release
    if not release.queue or release.pods or VISIBILITY not in situation.state.groups:
        return None
    return position_in(session.kubectl.raw(visibility_path(release)), release)


def _progress(session: Session, situation: Situation) -> LogProgress | None:
    """Of the leader of a job."""
    from neuron_cluster.workloads.running.controller_kind import kind_of
    from neuron_cluster.workloads.running.log_progress import progress_of
    from neuron_cluster.workloads.running.ranked_pods import ranked_pods

    pods = ranked_pods(situation.release)
    if not pods or any(kind_of(body).is_server for body in situation.release.controllers):
        return None
    log = session.kubectl.log(pods[0].name, situation.release.namespace, f"--tail={TAIL_LINES}")
    return progress_of(log) if log is not None else None
