"""``neuron-cluster workload stop``: ends a release, with a checkpoint where it saves one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_cluster import add_release, heading, identity, open_cluster, read_situation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.workloads.running.session import Session
    from neuron_cluster.workloads.running.situation import Situation
    from neuron_cluster.workloads.running.stop_plan import Patch
    from neuron_cluster.workloads.running.stopping import Stopped

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
    add_release(parser)
    parser.add_argument("--delete", action="store_true", help="uninstall the release when its pods have ended")
    parser.add_argument(
        "--helm", metavar="FILE", type=Path, help="helm binary (default: the one for the cluster's version)"
    )
    parser.add_argument("--yes", action="store_true", help="do not prompt")
    parser.add_argument("--dry-run", action="store_true", help="print the commands and exit")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.findings.text import printable
    from neuron_cluster.workloads.running.stop_plan import stop_patches
    from neuron_cluster.workloads.running.stopping import stop_release

    session = open_cluster(options)
    situation = read_situation(session, options)
    patches = stop_patches(situation)
    if options.dry_run or not (patches or options.delete):
        return _print_commands(options, session, situation, patches)
    if not options.yes:
        confirm(printable(_question(session, situation, options)), situation.release.name)
    stopped = stop_release(session.kubectl, situation, patches, lambda pods, seconds: _report(options, pods, seconds))
    is_deleted = options.delete and not stopped.left
    if is_deleted:
        _uninstall(options, session, situation)
    _show(options, session, situation, stopped, [] if is_deleted else patches)
    return int(bool(stopped.left))


def _print_commands(
    options: argparse.Namespace, session: Session, situation: Situation, patches: Sequence[Patch]
) -> int:
    from neuron_cluster.cli.terminal import print_json

    commands = [patch.command(situation.here) for patch in patches]
    if options.format == "json":
        print_json({**identity(session, situation), "commands": commands})
    else:
        print("\n".join(commands) or f"{heading(session, situation)}: nothing to stop")
    return 0


def _question(session: Session, situation: Situation, options: argparse.Namespace) -> str:
    from neuron_cluster.workloads.running.stop_plan import active_pods, checkpoint_folder

    release = situation.release
    folder = checkpoint_folder(release)
    what = "Stop and uninstall" if options.delete else "Stop"
    question = f"{what} {heading(session, situation)}, {len(active_pods(release))} pods?"
    if release.chart != "neuron-training":
        return question
    if folder is None:
        return f"{question} It has NO checkpoints (checkpoints.claim): what it has trained is lost."
    return f"{question} Its checkpoints are in {folder}; whether it saves one now is the work of its trainer."


def _report(options: argparse.Namespace, pods: int, seconds: float) -> None:
    from neuron_cluster.cli.terminal import talk_stream

    print(f"waiting for {pods} pods, at most {seconds:.0f} s more", file=talk_stream(options.format), flush=True)


def _uninstall(options: argparse.Namespace, session: Session, situation: Situation) -> None:
    from neuron_cluster.kube.helm import Helm

    helm = session.helm() if options.helm is None else Helm(options.helm)
    helm.uninstall(situation.release.name, situation.release.namespace, options.context, options.kubeconfig)


def _show(
    options: argparse.Namespace, session: Session, situation: Situation, stopped: Stopped, patches: Sequence[Patch]
) -> None:
    """``patches`` are those that can be undone: none of a release that was uninstalled."""
    from msgspec import to_builtins

    from neuron_cluster.cli.terminal import print_json, width
    from neuron_cluster.report.text_page import text_of
    from neuron_cluster.report.workload_stop_page import stop_page
    from neuron_cluster.workloads.running.stop_plan import checkpoint_folder

    release = situation.release
    folder = checkpoint_folder(release)
    undo = [patch.undo_command(situation.here) for patch in reversed(patches)]
    if options.format == "json":
        data: dict[str, Any] = {"checkpoints": folder, "start_again": undo, **to_builtins(stopped)}
        print_json({**identity(session, situation), **data, "deleted": options.delete and not stopped.left})
    else:
        print(text_of(stop_page(stopped, heading(session, situation), release.chart, folder, undo), width()), end="")
