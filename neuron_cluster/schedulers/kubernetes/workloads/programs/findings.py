"""Containers whose programs write where they cannot, or need a right that their pod lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.pod_templates import PodTemplate
from local_kubernetes.model.release import Release
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.program_need import ProgramNeed
from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.programs.needs import needs_of
from neuron_cluster.schedulers.kubernetes.workloads.programs.rights import missing_rights
from neuron_cluster.schedulers.kubernetes.workloads.programs.written_folders import (
    UNKNOWN,
    why_not_of_the_node,
    why_not_writable,
    written_folder,
)

SCRATCH = "such as /scratch or /tmp"


def program_findings(
    objects: Sequence[Mapping[str, Any]],
    framework_of: Callable[[str], str | None],
    catalog: Catalog,
    *,
    chart: str,
    namespace: str,
) -> Iterator[Finding]:
    """E9277 for each container and row of the catalog; W9278 for a row in doubt, and for a volume that may not fit.

    ``framework_of`` names the framework of an image; None for one that the catalog does not have.
    """
    release = Release(objects, namespace=namespace)
    for template in release.pods():
        for container in template.containers:
            place = f"{template.owner.kind} {template.owner.name} {container.name}"
            for need in needs_of(container.body, framework_of(str(container.body.get("image", ""))), catalog):
                for finding_id, message, hint in _problems(need, container.body, template, release):
                    yield finding(finding_id, chart, place, f"{need.name}: {message}", hint)


def _problems(
    need: ProgramNeed, body: Mapping[str, Any], template: PodTemplate, release: Release
) -> Iterator[tuple[str, str, str]]:
    """Id, message and hint of each."""
    folder = written_folder(need, body)
    certain = "W9278" if need.doubt or folder == UNKNOWN else "E9277"
    if folder is not None:
        named = " or ".join([*need.variables, need.option] if need.option else need.variables)
        keys = named or ("workingDir" if need.writes.startswith(".") else "HOME")
        hint = f"leave {keys} as the chart sets it, or set a folder that the container can write, {SCRATCH}"
        if (why := why_not_writable(folder, body, template)) is not None:
            yield certain, f"the program writes to {folder}, and {why}", hint
        elif need.volume == "node" and (why := why_not_of_the_node(folder, body, template)) is not None:
            yield "W9278", f"the program expects {folder} on a disk of the node, and {why}", hint
    for missing in missing_rights(need, body, template, release):
        yield certain, f"the container {missing}", "leave the value of the chart that takes this right away out"
