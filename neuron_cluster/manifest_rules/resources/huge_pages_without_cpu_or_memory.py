"""Huge pages without a request for CPU or memory."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.container_resources import container_resources, is_hugepages
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class HugePagesWithoutCpuOrMemory(PodRule):
    """A container with huge pages requests CPU or memory as well (`resources`)."""

    id = "E8805"
    source = "https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/#api"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        for claims in container_resources(template):
            names = {*claims.requests, *claims.limits}
            if any(map(is_hugepages, names)) and names.isdisjoint(("cpu", "memory")):
                yield Violation(
                    claims.path,
                    "requests huge pages, but neither cpu nor memory; the API server rejects the pod",
                    "write requests.cpu or requests.memory",
                )
