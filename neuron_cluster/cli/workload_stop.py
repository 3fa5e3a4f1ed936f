"""``neuron-cluster workload stop``: ends a release, with a checkpoint where it saves one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_running import add_running_work, opened_work, show

if TYPE_CHECKING:
    from neuron_cluster.protocol.running_work import RunningWork

TEXT = """Stop a workload so that no controller starts it again, and wait until its pods
have ended. A job is suspended (its Workload is deactivated where it is in a
queue), a server is scaled to 0. The pods get SIGTERM and their grace period:
neuron-training lets its ranks save and exits with code 75. The release stays,
and can be started again with the command that is printed; --delete uninstalls
it afterwards.

Prompts before it changes anything. --context must be the environment's cluster.
Exit status 1 if pods still run after their grace period."""

EXAMPLES = """  neuron-cluster workload stop llama train-trn2 --context trn2
  neuron-cluster workload stop llama train-trn2 --context trn2 --dry-run
  neuron-cluster workload stop llama train-trn2 --context trn2 --delete --yes"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "stop", run, summary="stop a workload, checkpoint first", text=TEXT, examples=EXAMPLES)
    add_running_work(parser, "stop")
    parser.add_argument("--yes", action="store_true", help="do not prompt")
    parser.add_argument("--dry-run", action="store_true", help="print the commands and exit")


def run(options: argparse.Namespace) -> int:
    with opened_work(options, "stop") as work:
        return _stop(work, options)


def _stop(work: RunningWork, options: argparse.Namespace) -> int:
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.cli.terminal import print_json, talk_stream
    from neuron_cluster.findings.text import printable

    plan = work.stop_plan()
    if options.dry_run or not plan.is_needed:
        if options.format == "json":
            print_json({**work.identity, "commands": plan.commands})
        else:
            print("\n".join(plan.commands) or plan.nothing)
        return 0
    if not options.yes:
        confirm(printable(plan.question), plan.name)
    return show(plan.stop(lambda line: print(line, file=talk_stream(options.format), flush=True)), options)
