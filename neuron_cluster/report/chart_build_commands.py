"""Shell commands that build charts from their commits and push them to the ECR of the account.

Source: https://docs.aws.amazon.com/AmazonECR/latest/userguide/push-oci-artifact.html;
https://helm.sh/docs/helm/helm_dependency_update/ (dependencies are fetched from their repositories).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from neuron_cluster.plan.chart_build import ChartBuild
from neuron_cluster.report.mirror_commands import ecr_functions


def chart_build_commands(builds: Sequence[ChartBuild]) -> tuple[str, ...]:
    """Lines of a shell script, to be run with internet access and credentials of the account; without charts: empty.

    A version that the repository has is not built again: no two packages of one commit have the same digest.
    """
    return tuple(line for build in builds for line in _lines(build))


def _lines(build: ChartBuild) -> Iterator[str]:
    yield f"# {build.chart} {build.version} into {build.registry}, once for the account and Region: no registry has it."
    yield "# Needs git, aws and helm."
    yield "set -eu"
    yield build.login
    yield from ecr_functions(build.region)
    yield shlex.join(("repository", build.repository))
    yield f"if ! {shlex.join(('there', build.repository, build.tag))}; then"
    yield "  cd $(mktemp -d)"
    clone, checkout, update, package, _, push = build.commands
    yield from (f"  {command}" for command in (clone, checkout, update, package, push))
    yield "  cd - >/dev/null"
    yield "fi"
