"""Shell commands that copy charts and images to the ECR of an account.

crane copies an image with all its platforms and keeps its digest
(https://github.com/google/go-containerregistry/blob/main/cmd/crane/doc/crane_copy.md); Helm pushes charts
(https://docs.aws.amazon.com/AmazonECR/latest/userguide/push-oci-artifact.html). The cache needs a pull, no copy
(https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache-working-pulling.html).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from neuron_cluster.catalog.chart import OCI
from neuron_cluster.catalog.ecr_host import private_registry
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.image_cache_plan import copies_prefix
from neuron_cluster.plan.needed_software import NeededChart, NeededImage, Origin

PULLED = "/dev/null"
"""A pull is for ECR to fetch the image; what comes here is of no use."""


def mirror_commands(charts: Sequence[NeededChart], images: Sequence[NeededImage], plan: ClusterPlan) -> tuple[str, ...]:
    """Lines of a shell script, to be run with internet access and credentials of the account; none to do: empty.

    What comes through the cache is pulled once by its name there. The rest is copied; copies keep the path that they
    have in their registry, below ``<environment>/mirror/<registry>``. Digests of the lock decide what is copied.
    """
    registry = private_registry(plan.account, plan.region)
    cached = [*_pulls(charts, images)]
    copied = [*_copies(charts, images, plan, registry)]
    if not cached and not copied:
        return ()
    login = f"aws ecr get-login-password --region {plan.region} |"
    lines = [
        f"# Into {registry}. Needs aws, crane and helm.",
        "set -eu",
        f"{login} crane auth login --username AWS --password-stdin {registry}",
        f"{login} helm registry login --username AWS --password-stdin {registry}",
    ]
    if cached:
        lines += [f"# Once, so that the cache has them; {plan.stack_name('images')} must be deployed.", *cached]
    if copied:
        lines += ["# Copies. What is there already stays as it is.", *ecr_functions(plan.region), *copied]
    return tuple(lines)


def _pulls(charts: Sequence[NeededChart], images: Sequence[NeededImage]) -> Iterator[str]:
    for chart in charts:
        if chart.mirror is not None and not chart.is_copied:
            yield _command("helm", "pull", chart.mirror, "--version", chart.version)
    for image in images:
        if image.mirror is not None and not image.is_copied:
            yield _command("crane", "pull", image.mirror, PULLED)


def _copies(
    charts: Sequence[NeededChart], images: Sequence[NeededImage], plan: ClusterPlan, registry: str
) -> Iterator[str]:
    for chart in charts:
        if chart.is_public and (chart.mirror is None or chart.is_copied):
            yield from _chart_copy(chart, f"{copies_prefix(plan.name)}/charts", registry)
    for image in images:
        if image.origin is Origin.PUBLIC and (image.mirror is None or image.is_copied):
            yield from _image_copy(image, copies_prefix(plan.name), registry)


def _chart_copy(chart: NeededChart, folder: str, registry: str) -> Iterator[str]:
    """Helm derives the repository's last part, which must exist, from the chart."""
    is_oci = chart.reference.startswith(OCI)
    source = (chart.reference,) if is_oci else (chart.chart, "--repo", chart.reference)
    repository, tag = f"{folder}/{chart.chart}", chart.version.replace("+", "_")  # a tag has no +, and Helm writes _
    yield _command("repository", repository)
    yield _unless_there(repository, tag, "helm", "pull", *source, "--version", chart.version)
    yield _unless_there(
        repository, tag, "helm", "push", f"{chart.chart}-{chart.version}.tgz", f"{OCI}{registry}/{folder}"
    )


def _image_copy(image: NeededImage, folder: str, registry: str) -> Iterator[str]:
    """Yields the commands that copy an image, by digest where the lock has one, under the same tag."""
    name, at, own_digest = image.reference.partition("@")
    repository, _, tag = (name, "", "") if at else name.rpartition(":")
    digest = own_digest or image.digest
    source = f"{repository}@{digest}" if digest else image.reference
    copy = f"{folder}/{repository}"
    yield _command("repository", copy)
    if tag:
        yield _unless_there(copy, tag, "crane", "copy", source, f"{registry}/{copy}:{tag}")
    else:  # a digest is the same image whenever it is copied
        yield _command("crane", "copy", source, f"{registry}/{copy}")


def ecr_functions(region: str) -> Iterator[str]:
    """Yields the functions ``repository`` and ``there``.

    Tags of the repositories are immutable: a second push under the same tag would be rejected and end the script.
    """
    known = f'aws ecr describe-repositories --region {region} --repository-names "$1" >{PULLED} 2>&1'
    made = f'aws ecr create-repository --region {region} --repository-name "$1" --image-tag-mutability IMMUTABLE'
    yield f"repository() {{ {known} || {made} >{PULLED}; }}"
    there = f'aws ecr describe-images --region {region} --repository-name "$1" --image-ids imageTag="$2"'
    yield f"there() {{ {there} >{PULLED} 2>&1; }}"


def _unless_there(repository: str, tag: str, *arguments: str) -> str:
    return f"{_command('there', repository, tag)} || {_command(*arguments)}"


def _command(*arguments: str) -> str:
    return shlex.join(arguments)
