"""The arguments of the actions of ``neuron-cluster workload`` that read a cluster."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import add_local_lock
from neuron_cluster.cli.workload_arguments import a_namespace, a_release

if TYPE_CHECKING:
    from neuron_cluster.workloads.running.session import Session
    from neuron_cluster.workloads.running.situation import Situation

CONTEXT_TEXT = """--context must be the environment's cluster, as for `workload submit`. Only
reads; the credential plugin of your kubeconfig may call AWS."""


def add_release(parser: argparse.ArgumentParser) -> None:
    """NAME and ENVIRONMENT."""
    parser.add_argument("name", metavar="NAME", help="a release, or a chart that has one release")
    parser.add_argument("environment", metavar="ENVIRONMENT", help="name or file of the environment")
    add_local_lock(parser)
    add_context(parser)
    parser.add_argument("--release", metavar="NAME", type=a_release, help="helm release, where NAME is a chart")


def add_context(parser: argparse.ArgumentParser, *, is_required: bool = True, namespace: str = "") -> None:
    parser.add_argument("--context", metavar="NAME", required=is_required, help="context in the kubeconfig")
    parser.add_argument(
        "--kubeconfig", metavar="FILE", type=Path, help="kubeconfig file (default: KUBECONFIG, ~/.kube/config)"
    )
    parser.add_argument(
        "--namespace",
        metavar="NAME",
        type=a_namespace,
        help=f"namespace of the release (default: {namespace or 'the first of the environment'})",
    )


def open_cluster(options: argparse.Namespace) -> Session:
    """Raises ``ToolkitError``; ``InvalidEnvironment`` for an environment with errors or another's context."""
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.workloads.running.session import open_session

    return open_session(open_environment(options), options.context, options.kubeconfig)


def read_situation(session: Session, options: argparse.Namespace) -> Situation:
    """The release that the arguments name, as it is now. Raises ``ToolkitError``."""
    namespace = session.namespace_or_default(options.namespace)
    state = session.read(namespace, datetime.now(UTC))
    return session.situation(state, options.name, options.release, namespace)


def heading(session: Session, situation: Situation) -> str:
    """``llama (neuron-training) in namespace team-a of train-trn2``."""
    release = situation.release
    return f"{release.name} ({release.chart}) in namespace {release.namespace} of {session.plan.name}"


def identity(session: Session, situation: Situation) -> dict[str, str]:
    """The same for programs."""
    release = situation.release
    return {
        "environment": session.plan.name,
        "namespace": release.namespace,
        "release": release.name,
        "chart": release.chart,
    }
