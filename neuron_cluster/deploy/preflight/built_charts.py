"""Whether the ECR of the account has the charts that no registry has, which its user builds from their commits.

Source: https://docs.aws.amazon.com/AmazonECR/latest/userguide/push-oci-artifact.html
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.ecr import has_tag
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.chart_build import ChartBuild, chart_builds

WHAT = "charts that are built into the ECR of the account"
PERMISSIONS = ("ecr:DescribeImages",)


def subjects(context: PreflightContext) -> list[str]:
    """Returns the charts; a local AWS that prepares itself has none."""
    return [f"{build.chart} {build.version}" for build in _builds(context)]


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9585 for a chart without its repository, or whose repository has another version only."""
    for build in _builds(context):
        found = has_tag(context.destination.target, build.repository, build.tag)
        if not found:
            yield _missing(build, context, has_repository=found is not None)


def _builds(context: PreflightContext) -> tuple[ChartBuild, ...]:
    return () if context.destination.prepares_account else chart_builds(context.plan, context.catalog)


def _missing(build: ChartBuild, context: PreflightContext, *, has_repository: bool) -> Finding:
    lacks = f"the tag {build.tag}" if has_repository else "the repository"
    message = f"{build.registry} lacks {lacks} of {build.repository}, from which helm takes {build.chart}"
    hint = build.remedy(context.plan.name, has_repository=has_repository)
    return Finding("E9585", context.locate(build.path), message, hint)
